//===- CollectionFunctionsTest.cpp - spl.collection and spl.math *- C++ -*-===//
#include "Functions.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

struct Collections : testing::Test {
  World w;
  TypeDesc ints = listOf(&int32), strings = listOf(&rstring), set = setOf(&int32),
           map = mapOf(&rstring, &int32);
  Seq *l5 = ints_("[50,10,40,20,30]"), *d = ints_("[5,7,5,9,7,5]");

  Seq *ints_(const char *s) { return static_cast<Seq *>(w.value(&ints, s)); }
  /// The text of the list that f makes of `args`.
  template <typename F, typename... Args> std::string list(F f, Args... args) {
    Seq r;
    return f(w, &int32, &r, args...) ? "throws" : text(&ints, &r);
  }
  template <typename F, typename... Args> int index(F f, Args... args) {
    int32_t r;
    f(w, &int32, &r, args...);
    return r;
  }
};

TEST_F(Collections, InsertAndRemove) {
  Seq *two = ints_("[1,2]");
  EXPECT_EQ(list(sl_insert_LgLgi, l5, two, 1), "[50,1,2,10,40,20,30]");
  EXPECT_EQ(list(sl_insert_LgLgi, l5, two, 9), "[50,10,40,20,30,1,2]");
  EXPECT_EQ(list(sl_insert_LgLgi, l5, two, -1), "[1,2,50,10,40,20,30]");
  EXPECT_EQ(list(sl_remove_Lgi, l5, 4), "[50,10,40,20]");
  EXPECT_EQ(list(sl_remove_Lgi, l5, 5), "[50,10,40,20,30]");
  EXPECT_EQ(list(sl_remove_Lgi, l5, -1), "[50,10,40,20,30]");
  EXPECT_EQ(list(sl_remove_Lgii, l5, 1, 3), "[50,30]");
  EXPECT_EQ(list(sl_remove_Lgii, l5, 3, 9), "[50,10,40]");
  EXPECT_EQ(list(sl_remove_Lgii, l5, 7, 9), "[50,10,40,20,30]");
  EXPECT_EQ(list(sl_remove_Lgii, l5, 3, 1), "[50,10,40,20,30]");
  EXPECT_EQ(list(sl_remove_Lgii, l5, -2, 1), "[40,20,30]");
  EXPECT_EQ(list(sl_remove_LgLi, l5, ints_("[2,0,2,9,-1]")), "[10,20,30]");
}

TEST_F(Collections, Parts) {
  EXPECT_EQ(list(sl_slice_Lgii, l5, 1, 2), "[10,40]");
  EXPECT_EQ(list(sl_slice_Lgii, l5, 3, 10), "[20,30]");
  EXPECT_EQ(list(sl_slice_Lgii, l5, 9, 1), "[]");
  EXPECT_EQ(list(sl_slice_Lgii, l5, -1, 2), "[50]");
  EXPECT_EQ(list(sl_slice_Lgii, l5, 1, -1), "[]");
  EXPECT_EQ(list(sl_slice_Lgiii, l5, 0, 2, 1), "[50,40]");
  EXPECT_EQ(list(sl_slice_Lgiiii, ints_("[0,1,2,3,4,5,6,7,8,9]"), 0, 3, 1, 2), "[0,1,2,4,5,6,8,9]");
  EXPECT_EQ(list(sl_reverse_Lg, l5), "[30,20,40,10,50]");
}

TEST_F(Collections, Find) {
  int32_t five = 5;
  EXPECT_EQ(list(sl_find_Lgg, d, &five), "[0,2,5]");
  EXPECT_EQ(index(sl_findFirst_LgLgi, d, ints_("[5,9]"), 0), 2);
  EXPECT_EQ(index(sl_findFirst_LgLgi, d, ints_("[]"), 0), 0);
  EXPECT_EQ(index(sl_findFirst_LgLgi, d, ints_("[7,5]"), 2), 4);
  EXPECT_EQ(index(sl_findLast_LgLgi, d, ints_("[7,5]"), 5), 4);
  EXPECT_EQ(index(sl_findLast_LgLgi, d, ints_("[5]"), 4), 2);
  EXPECT_EQ(index(sl_findLast_LgLgi, d, ints_("[5]"), -1), -1);
  EXPECT_EQ(index(sl_findFirstOf_LgLgi, d, ints_("[9,7]"), 2), 3);
  EXPECT_EQ(index(sl_findLastNotOf_LgLgi, d, ints_("[5]"), 50), 4);
  EXPECT_EQ(index(sl_countDistinct_Lg, d), 3);
}

TEST_F(Collections, Sort) {
  EXPECT_EQ(list(sl_sort_Lg, l5), "[10,20,30,40,50]");
  EXPECT_EQ(list(sl_sortIndices_Lg, l5), "[1,3,4,2,0]");
  Seq place = {};
  sl_assign(w, &strings, &place,
            w.value(&strings, R"(["b, a text that is not inline","a","B",""])"));
  sl_sortM_Lg(w, &rstring, &place);
  EXPECT_EQ(text(&strings, &place), R"(["","B","a","b, a text that is not inline"])");
  sl_destroy(w, &strings, &place);
  TypeDesc doubles = listOf(&float64);
  Seq r;
  sl_sort_Lg(w, &float64, &r, static_cast<Seq *>(w.value(&doubles, "[nan,2,-inf,nan,1]")));
  EXPECT_EQ(text(&doubles, &r), "[-inf,1,2,nan,nan]");
}

TEST_F(Collections, Places) {
  Seq place = {};
  for (int32_t i = 0; i < 40; ++i)
    sl_appendM_Lgg(w, &int32, &place, &i);
  int32_t x = 99;
  sl_insertM_Lggi(w, &int32, &place, &x, 2);
  sl_removeM_Lgii(w, &int32, &place, 4, 100);
  EXPECT_EQ(text(&ints, &place), "[0,1,99,2]");
  sl_insertM_Lggi(w, &int32, &place, &x, 50);
  EXPECT_EQ(text(&ints, &place), "[0,1,99,2,99]");
  sl_destroy(w, &ints, &place);

  TypeDesc texts = mapOf(&rstring, &rstring);
  for (int i = 0; i < 100; ++i) { // values taken out of the map itself
    std::string k = "a key that is not inline " + std::to_string(i);
    Str key = str(k);
    const Str *value = i ? reinterpret_cast<Str *>(static_cast<char *>(place.data) + 16) : &key;
    sl_insertM_Mgggg(w, &rstring, &rstring, &place, &key, value);
  }
  EXPECT_EQ(place.len, 100u);
  void *at;
  Str last = str("a key that is not inline 99");
  ASSERT_EQ(sl_map_at(w, &texts, &at, &place, &last), 0);
  EXPECT_EQ(viewOf(*static_cast<Str *>(at)), "a key that is not inline 0");
  sl_clearM_Mgg(w, &rstring, &rstring, &place);
  EXPECT_FALSE(sl_contains(&texts, &place, &last));
  sl_destroy(w, &texts, &place);
}

TEST_F(Collections, SetsAndMaps) {
  auto *a = static_cast<Seq *>(w.value(&set, "{3,1,2}")),
       *b = static_cast<Seq *>(w.value(&set, "{3,4}"));
  Seq r;
  sl_setUnion_SgSg(w, &int32, &r, a, b);
  EXPECT_EQ(text(&set, &r), "{3,1,2,4}");
  sl_setDifference_SgSg(w, &int32, &r, a, b);
  EXPECT_EQ(text(&set, &r), "{1,2}");
  auto *m = static_cast<Seq *>(w.value(&map, R"({"a":1,"b":2})"));
  Str key = str("a");
  int32_t value = 100;
  sl_insert_Mgggg(w, &rstring, &int32, &r, m, &key, &value);
  EXPECT_EQ(text(&map, &r), R"({"a":100,"b":2})");
  EXPECT_EQ(text(&map, m), R"({"a":1,"b":2})");
  sl_remove_Mggg(w, &rstring, &int32, &r, m, &key);
  EXPECT_EQ(text(&map, &r), R"({"b":2})");
  sl_keys_Mgg(w, &rstring, &int32, &r, m);
  EXPECT_EQ(text(&strings, &r), R"(["a","b"])");
}

TEST_F(Collections, Sequences) {
  Seq r;
  auto range = [&](int from, int to, int step) {
    return sl_range_iii(w, &r, from, to, step) ? std::string("throws") : text(&ints, &r);
  };
  EXPECT_EQ(range(0, 10, 3), "[0,3,6,9]");
  EXPECT_EQ(range(10, 0, -3), "[10,7,4,1]");
  EXPECT_EQ(range(0, 10, -1), "[]");
  EXPECT_EQ(range(0, 10, 0), "throws");
  EXPECT_EQ(range(INT32_MAX - 1, INT32_MAX, 5), "[2147483646]");
  int32_t five = 5, minusTwo = -2;
  EXPECT_EQ(list(sl_makeSequence_gig, &five, 4, &minusTwo), "[5,3,1,-1]");
  EXPECT_EQ(list(sl_makeSequence_gig, &five, -1, &minusTwo), "throws");
  Str a = str("a");
  sl_makeSequence_ri(w, &r, &a, 3);
  EXPECT_EQ(text(&strings, &r), R"(["a0","a1","a2"])");
}

TEST_F(Collections, AssignFrom) {
  TupleType to({{"a", &int32}, {"b", &rstring}, {"c", &int64}}),
      from({{"c", &int32}, {"b", &rstring}, {"a", &int32}});
  alignas(8) char place[64] = {};
  sl_assignFrom_gg(w, to, from, place, w.value(from, R"({c=1,b="a text that is not inline",a=3})"));
  EXPECT_EQ(text(to, place), R"({a=3,b="a text that is not inline",c=0})");
  sl_destroy(w, to, place);
}

//===--- spl.math -----------------------------------------------------------===//

struct Math : testing::Test {
  World w;
  template <typename F> std::string one(F f, const TypeDesc *type, const char *x) {
    alignas(8) char r[16];
    f(w, type, r, w.value(type, x));
    return text(type, r);
  }
  template <typename F> std::string two(F f, const TypeDesc *type, const char *x, const char *y) {
    alignas(8) char r[16];
    f(w, type, r, w.value(type, x), w.value(type, y));
    return text(type, r);
  }
  template <typename F, typename... Args>
  std::string all(F f, const TypeDesc *elem, const char *x, Args... args) {
    TypeDesc type = listOf(elem);
    alignas(8) char r[16];
    return f(w, elem, r, static_cast<Seq *>(w.value(&type, x)), args...) ? "throws" : text(elem, r);
  }
};

TEST_F(Math, Scalars) {
  EXPECT_EQ(one(sl_abs_g, &int32, "-2147483648"), "-2147483648");
  EXPECT_EQ(one(sl_abs_g, &float64, "-0.0"), "0");
  EXPECT_EQ(one(sl_sqrt_g, &int32, "10"), "3");
  EXPECT_EQ(one(sl_sqrt_g, &float32, "2"), "1.41421");
  EXPECT_EQ(one(sl_round_g, &float64, "-2.5"), "-3");
  EXPECT_EQ(one(sl_round_g, &float32, "2.5"), "3");
  EXPECT_EQ(one(sl_ceil_g, &float64, "-0.2"), "-0");
  EXPECT_EQ(two(sl_pow_gg, &int32, "3", "-1"), "0");
  EXPECT_EQ(two(sl_pow_gg, &int32, "1", "-1"), "1");
  EXPECT_EQ(two(sl_pow_gg, &int32, "-2", "3"), "-8");
  EXPECT_EQ(two(sl_pow_gg, &int8, "10", "3"), "-24");
  EXPECT_EQ(two(sl_pow_gg, &float64, "2", "0.5"), "1.4142135623731");
  EXPECT_EQ(two(sl_max_gg, &float64, "nan", "1"), "1");
  EXPECT_EQ(two(sl_max_gg, &float64, "1", "nan"), "nan");
  EXPECT_EQ(two(sl_min_gg, &float64, "nan", "1"), "1");
  EXPECT_EQ(two(sl_max_gg, &rstring, "'abc'", "'abd'"), "\"abd\"");
  EXPECT_EQ(two(sl_min_gg, &boolean, "true", "false"), "false");
}

TEST_F(Math, Lists) {
  EXPECT_EQ(all(sl_sum_Lg, &int8, "[100,100]"), "-56");
  EXPECT_EQ(all(sl_avg_Lg, &int8, "[100,100]"), "-28");
  EXPECT_EQ(all(sl_avg_Lg, &int32, "[-1,-2]"), "-1");
  EXPECT_EQ(all(sl_avg_Lg, &float64, "[1.5,2.5,4]"), "2.66666666666667");
  EXPECT_EQ(all(sl_avg_Lg, &float64, "[]"), "0");
  EXPECT_EQ(all(sl_max_Lg, &rstring, "[]"), "\"\"");
  EXPECT_EQ(all(sl_median_Lg, &int32, "[4,1,3,2]"), "2");
  EXPECT_EQ(all(sl_median_Lg, &float64, "[1,2,3,10]"), "2.5");
  EXPECT_EQ(all(sl_median_Lg, &rstring, "['a','c','b','d']"), "\"c\"");
  EXPECT_EQ(all(sl_kthelem_Lgj, &int32, "[5,1,4,2,3]", 2u), "3");
  EXPECT_EQ(all(sl_kthelem_Lgj, &int32, "[]", 0u), "throws");
  EXPECT_EQ(all(sl_stddev_Lgb, &float64, "[2,4,4,4,5,5,7,9]", uint8_t(1)), "2.1380899352994");
  EXPECT_EQ(all(sl_stddev_Lgb, &int32, "[2,4,4,4,5,5,7,9]", uint8_t(1)), "2");
  EXPECT_EQ(all(sl_stddev_Lgb, &float64, "[3]", uint8_t(1)), "-nan");
  EXPECT_EQ(all(sl_stddev_Lgb, &float64, "[]", uint8_t(1)), "0");
}

TEST_F(Math, RandomBeginsAnew) {
  int32_t zero;
  double a, b;
  sl_srand_i(w, &zero, 42);
  sl_random_(w, &a);
  sl_random_(w, &b);
  EXPECT_NE(a, b);
  EXPECT_TRUE(a >= 0 && a < 1);
  sl_srand_i(w, &zero, 42);
  sl_random_(w, &b);
  EXPECT_EQ(a, b);
}

} // namespace
