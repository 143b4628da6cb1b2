//===- Functions.h - library functions that tests call ----------*- C++ -*-===//
#pragma once
#include "Types.h"

namespace sluice::test {
using Type = const TypeDesc *;
extern "C" {
int32_t sl_substring_rii(Ctx *, Str *, const Str *, int32_t, int32_t);
int32_t sl_upper_r(Ctx *, Str *, const Str *);
int32_t sl_lower_r(Ctx *, Str *, const Str *);
int32_t sl_trim_rr(Ctx *, Str *, const Str *, const Str *);
int32_t sl_ltrim_rr(Ctx *, Str *, const Str *, const Str *);
int32_t sl_rtrim_rr(Ctx *, Str *, const Str *, const Str *);
int32_t sl_findFirst_rr(Ctx *, int32_t *, const Str *, const Str *);
int32_t sl_findFirst_rri(Ctx *, int32_t *, const Str *, const Str *, int32_t);
int32_t sl_findLast_rri(Ctx *, int32_t *, const Str *, const Str *, int32_t);
int32_t sl_findFirstOf_rri(Ctx *, int32_t *, const Str *, const Str *, int32_t);
int32_t sl_findLastOf_rri(Ctx *, int32_t *, const Str *, const Str *, int32_t);
int32_t sl_findFirstNotOf_rri(Ctx *, int32_t *, const Str *, const Str *, int32_t);
int32_t sl_findLastNotOf_rri(Ctx *, int32_t *, const Str *, const Str *, int32_t);
int32_t sl_tokenize_rrb(Ctx *, Seq *, const Str *, const Str *, uint8_t);
int32_t sl_tokenize_rrbbLr(Ctx *, const Str *, const Str *, uint8_t, uint8_t, Seq *);
int32_t sl_csvTokenize_r(Ctx *, Seq *, const Str *);
int32_t sl_regexMatch_rr(Ctx *, Seq *, const Str *, const Str *);
int32_t sl_regexReplace_rrrb(Ctx *, Str *, const Str *, const Str *, const Str *, uint8_t);
int32_t sl_makeRStringLiteral_r(Ctx *, Str *, const Str *);
int32_t sl_formatNumber_djjb(Ctx *, Str *, double, uint32_t, uint32_t, uint8_t);
int32_t sl_parseNumber_lri(Ctx *, int32_t *, int64_t *, const Str *, int32_t);

int32_t sl_appendM_Lgg(Ctx *, Type, Seq *, const void *);
int32_t sl_insertM_Lggi(Ctx *, Type, Seq *, const void *, int32_t);
int32_t sl_insertM_Mgggg(Ctx *, Type, Type, Seq *, const void *, const void *);
int32_t sl_removeM_Lgii(Ctx *, Type, Seq *, int32_t, int32_t);
int32_t sl_clearM_Mgg(Ctx *, Type, Type, Seq *);
int32_t sl_insert_LgLgi(Ctx *, Type, Seq *, const Seq *, const Seq *, int32_t);
int32_t sl_remove_Lgi(Ctx *, Type, Seq *, const Seq *, int32_t);
int32_t sl_remove_Lgii(Ctx *, Type, Seq *, const Seq *, int32_t, int32_t);
int32_t sl_remove_LgLi(Ctx *, Type, Seq *, const Seq *, const Seq *);
int32_t sl_insert_Mgggg(Ctx *, Type, Type, Seq *, const Seq *, const void *, const void *);
int32_t sl_remove_Mggg(Ctx *, Type, Type, Seq *, const Seq *, const void *);
int32_t sl_slice_Lgii(Ctx *, Type, Seq *, const Seq *, int32_t, int32_t);
int32_t sl_slice_Lgiii(Ctx *, Type, Seq *, const Seq *, int32_t, int32_t, int32_t);
int32_t sl_slice_Lgiiii(Ctx *, Type, Seq *, const Seq *, int32_t, int32_t, int32_t, int32_t);
int32_t sl_reverse_Lg(Ctx *, Type, Seq *, const Seq *);
int32_t sl_find_Lgg(Ctx *, Type, Seq *, const Seq *, const void *);
int32_t sl_findFirst_LgLgi(Ctx *, Type, int32_t *, const Seq *, const Seq *, int32_t);
int32_t sl_findLast_LgLgi(Ctx *, Type, int32_t *, const Seq *, const Seq *, int32_t);
int32_t sl_findFirstOf_LgLgi(Ctx *, Type, int32_t *, const Seq *, const Seq *, int32_t);
int32_t sl_findLastNotOf_LgLgi(Ctx *, Type, int32_t *, const Seq *, const Seq *, int32_t);
int32_t sl_setUnion_SgSg(Ctx *, Type, Seq *, const Seq *, const Seq *);
int32_t sl_setDifference_SgSg(Ctx *, Type, Seq *, const Seq *, const Seq *);
int32_t sl_keys_Mgg(Ctx *, Type, Type, Seq *, const Seq *);
int32_t sl_countDistinct_Lg(Ctx *, Type, int32_t *, const Seq *);
int32_t sl_sort_Lg(Ctx *, Type, Seq *, const Seq *);
int32_t sl_sortM_Lg(Ctx *, Type, Seq *);
int32_t sl_sortIndices_Lg(Ctx *, Type, Seq *, const Seq *);
int32_t sl_range_iii(Ctx *, Seq *, int32_t, int32_t, int32_t);
int32_t sl_makeSequence_gig(Ctx *, Type, Seq *, const void *, int32_t, const void *);
int32_t sl_makeSequence_ri(Ctx *, Seq *, const Str *, int32_t);
int32_t sl_assignFrom_gg(Ctx *, Type, Type, void *, const void *);

int32_t sl_abs_g(Ctx *, Type, void *, const void *);
int32_t sl_sqrt_g(Ctx *, Type, void *, const void *);
int32_t sl_round_g(Ctx *, Type, void *, const void *);
int32_t sl_ceil_g(Ctx *, Type, void *, const void *);
int32_t sl_pow_gg(Ctx *, Type, void *, const void *, const void *);
int32_t sl_max_gg(Ctx *, Type, void *, const void *, const void *);
int32_t sl_min_gg(Ctx *, Type, void *, const void *, const void *);
int32_t sl_sum_Lg(Ctx *, Type, void *, const Seq *);
int32_t sl_avg_Lg(Ctx *, Type, void *, const Seq *);
int32_t sl_max_Lg(Ctx *, Type, void *, const Seq *);
int32_t sl_median_Lg(Ctx *, Type, void *, const Seq *);
int32_t sl_kthelem_Lgj(Ctx *, Type, void *, const Seq *, uint32_t);
int32_t sl_stddev_Lgb(Ctx *, Type, void *, const Seq *, uint8_t);
int32_t sl_random_(Ctx *, double *);
int32_t sl_srand_i(Ctx *, int32_t *, int32_t);

int32_t sl_createTimestamp_lji(Ctx *, Timestamp *, int64_t, uint32_t, int32_t);
int32_t sl_add_Td(Ctx *, Timestamp *, const Timestamp *, double);
int32_t sl_add_Tl(Ctx *, Timestamp *, const Timestamp *, int64_t);
int32_t sl_diffAsSecs_TT(Ctx *, double *, const Timestamp *, const Timestamp *);
int32_t sl_diffAsNanos_TT(Ctx *, int64_t *, const Timestamp *, const Timestamp *);
int32_t sl_gmyear_T(Ctx *, uint32_t *, const Timestamp *);
int32_t sl_gmdayOfYear_T(Ctx *, uint32_t *, const Timestamp *);
int32_t sl_ctime_T(Ctx *, Str *, const Timestamp *);
int32_t sl_gmtime_TU(Ctx *, const Timestamp *, void *);
int32_t sl_time_TrU(Ctx *, const Timestamp *, const Str *, void *);
int32_t sl_eventNanos_ll(Ctx *, int64_t *, int64_t, int64_t);
int32_t sl_eventNanos_ml(Ctx *, int64_t *, uint64_t, int64_t);
int32_t sl_eventNanos_T(Ctx *, int64_t *, const Timestamp *);
int32_t sl_timeOfTicks_ll(Ctx *, Timestamp *, int64_t, int64_t);
int32_t sl_timeOfTicks_ml(Ctx *, Timestamp *, uint64_t, int64_t);
int32_t sl_int64TicksOfTime_Tl(Ctx *, int64_t *, const Timestamp *, int64_t);
int32_t sl_uint64TicksOfTime_Tl(Ctx *, uint64_t *, const Timestamp *, int64_t);
int32_t sl_toTimestamp_Ub(Ctx *, Timestamp *, const void *, uint8_t);
int32_t sl_strftime_Ur(Ctx *, Str *, const void *, const Str *);
int32_t sl_strptime_rrUj(Ctx *, const Str *, const Str *, void *, uint32_t *);
int32_t sl_timeStringToTimestamp_rrrb(Ctx *, Timestamp *, const Str *, const Str *, const Str *,
                                      uint8_t);
int32_t sl_parseIso8601_r(Ctx *, Timestamp *, const Str *);
int32_t sl_parseIso8601_rr(Ctx *, Timestamp *, const Str *, const Str *);
int32_t sl_formatIso8601_T(Ctx *, Str *, const Timestamp *);
int32_t sl_formatIso8601_Tr(Ctx *, Str *, const Timestamp *, const Str *);
int32_t sl_formatTime_Trr(Ctx *, Str *, const Timestamp *, const Str *, const Str *);
int32_t sl_toTimestamp_Urr(Ctx *, Timestamp *, uint32_t, const Str *, const Str *);
}
} // namespace sluice::test
