"""Sums that the sinks of W1 to W4 must print for the first 1000 tuples. They follow
from the definition of the workloads alone, so a wrong one means wrong arithmetic, a
lost tuple or a tuple that went to another operator."""

PAYLOADS = (8, 128, 1024, 16384)

# By (operators, flops): the sums for each payload.
_PIPELINES = {
    (10, 1): (0xdffcb6181097fe53, 0x1c38f2544cd41de7, 0x55722b8d860c8127, 0x739049aba41c4b27),
    (100, 1): (0xdffcecf0b7a42c42, 0x1c39292cf3e04bd6, 0x557262662d18af16, 0x739080844b287916),
    (500, 1): (0xdffde0b52578c38f, 0x1c3a1cf161b4e323, 0x5573562a9aed4663, 0x73917448b8fd1063),
    (10, 100): (0xdffd13e709c8fd99, 0x1c39502346051d2d, 0x5572895c7f3d806d, 0x7390a77a9d4d4a6d),
    (100, 100): (0xe000973fef231d0c, 0x1c3cd37c2b5f3ca0, 0x55760cb564979fe0, 0x73942ad382a769e0),
    (500, 100): (0xe010393fab6b06e0, 0x1c4c757be7a72674, 0x5585aeb520df89b4, 0x73a3ccd33eef53b4),
    (10, 10000): (0xe023cf042476c4bc, 0x1c600b4060b2e450, 0x5599447999eb4790, 0x73b76297b7fb1190),
    (100, 10000): (0xe18a2f6ab9889f89, 0x1dc66ba6f5c4bf1d, 0x56ffa4e02efd225d, 0x751dc2fe4d0cec5d),
    (500, 10000): (0xe7d8bd3c0fe9e790, 0x2414f9784c260724, 0x5d4e32b1855e6a64, 0x7b6c50cfa36e3464),
    (10, "skew"): (0xe000b8e481d89e48, 0x1c3cf520be14bddc, 0x55762e59f74d211c, 0x73944c78155ceb1c),
    (100, "skew"): (0xe02520f07e87f391, 0x1c615d2cbac41325, 0x559a9665f3fc7665, 0x73b8b484120c4065),
    (500, "skew"): (0xe0c8fc5e87cb97ac, 0x1d05389ac407b740, 0x563e71d3fd401a80, 0x745c8ff21b4fe480),
}
W1 = {(n, f, p): sums[i] for (n, f), sums in _PIPELINES.items() for i, p in enumerate(PAYLOADS)}

# By shape: the sums for 1, 100 and 10000 flops; W2 is 50 or 100 wide.
_SHAPES = {
    "W2-W50": (0x1c38ecdc15d59793, 0x1c38f6f9db3cf1b4, 0x1c3d1e942249a093),
    "W2-W100": (0x1c38ece00ca8c825, 0x1c38f7c010aa3323, 0x1c3d6c080f41a0a9),
    "W3": (0x1c390ad7b7e7bc18, 0x1c3ae6a9b113f442, 0x1d01384fa8374070),
    "W4": (0x1c38f14d97706396, 0x1c3945c97091ba47, 0x1c5bf945143fedd9),
}
SHAPES = {(shape, f): sums[i] for shape, sums in _SHAPES.items() for i, f in enumerate((1, 100, 10000))}

# W5a, by the number of tuples.
WORD_STREAM = {3_000_000: 28700979, 20_000_000: 1162846858}
# W5b: words of the whole text and the sum of their running counts.
TEXT_BYTES, TEXT_WORDS, TEXT_SUM = 200_000_000, 23_210_240, 2_768_352_905_050
