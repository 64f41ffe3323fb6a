// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tables of BC6H and BC7: partitions, anchors, and the places of the bits of BC6H's endpoints. Source:
// ARB_texture_compression_bptc, tables P2, P3, A2, A3 and F.
#pragma once

#include <cstdint>

namespace terrazzo::pipe::detail {

// clang-format off
/// Two bits per texel: its subset. Texel 0 (top left, row by row) is in the lowest bits.
constexpr uint32_t kBcPartition2[64] = {
    0x50505050, 0x40404040, 0x54545454, 0x54505040, 0x50404000, 0x55545450, 0x55545040, 0x54504000,
    0x50400000, 0x55555450, 0x55544000, 0x54400000, 0x55555440, 0x55550000, 0x55555500, 0x55000000,
    0x55150100, 0x00004054, 0x15010000, 0x00405054, 0x00004050, 0x15050100, 0x05010000, 0x40505054,
    0x00404050, 0x05010100, 0x14141414, 0x05141450, 0x01155440, 0x00555500, 0x15014054, 0x05414150,
    0x44444444, 0x55005500, 0x11441144, 0x05055050, 0x05500550, 0x11114444, 0x41144114, 0x44111144,
    0x15055054, 0x01055040, 0x05041050, 0x05455150, 0x14414114, 0x50050550, 0x41411414, 0x00141400,
    0x00041504, 0x00105410, 0x10541000, 0x04150400, 0x50410514, 0x41051450, 0x05415014, 0x14054150,
    0x41050514, 0x41505014, 0x40011554, 0x54150140, 0x50505500, 0x00555050, 0x15151010, 0x54540404,
};
constexpr uint32_t kBcPartition3[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/// The texels of the second and third subset whose index is one bit shorter.
constexpr uint8_t kBcAnchor2[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6,
    6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
};
constexpr uint8_t kBcAnchor3Second[64] = {
    3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3,
    3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
    8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15,
    3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3,
};
constexpr uint8_t kBcAnchor3Third[64] = {
    15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8,
    15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
    15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8,
    15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8,
};

/// A run of bits in a block: `count` bits are bits [low, low + count) of component `c` (R, G, B) of endpoint
/// `e`. The first one is the lowest, or the highest if `reversed`.
struct Bc6Field {
    uint8_t e, c, low, count;
    bool reversed;
};
struct Bc6Mode {
    uint8_t number;
    bool transformed, two_subsets;
    uint8_t endpoint_bits, delta_bits[3];
    Bc6Field field[26];  // in the order of the bits, after those of the mode; count 0 ends
};
constexpr Bc6Mode kBc6Modes[14] = {
    {0, true, true, 10, {5, 5, 5},
     {{2, 1, 4, 1, false}, {2, 2, 4, 1, false}, {3, 2, 4, 1, false}, {0, 0, 0, 10, false}, {0, 1, 0, 10, false},
      {0, 2, 0, 10, false}, {1, 0, 0, 5, false}, {3, 1, 4, 1, false}, {2, 1, 0, 4, false}, {1, 1, 0, 5, false},
      {3, 2, 0, 1, false}, {3, 1, 0, 4, false}, {1, 2, 0, 5, false}, {3, 2, 1, 1, false}, {2, 2, 0, 4, false},
      {2, 0, 0, 5, false}, {3, 2, 2, 1, false}, {3, 0, 0, 5, false}, {3, 2, 3, 1, false}}},
    {1, true, true, 7, {6, 6, 6},
     {{2, 1, 5, 1, false}, {3, 1, 4, 1, false}, {3, 1, 5, 1, false}, {0, 0, 0, 7, false}, {3, 2, 0, 1, false},
      {3, 2, 1, 1, false}, {2, 2, 4, 1, false}, {0, 1, 0, 7, false}, {2, 2, 5, 1, false}, {3, 2, 2, 1, false},
      {2, 1, 4, 1, false}, {0, 2, 0, 7, false}, {3, 2, 3, 1, false}, {3, 2, 5, 1, false}, {3, 2, 4, 1, false},
      {1, 0, 0, 6, false}, {2, 1, 0, 4, false}, {1, 1, 0, 6, false}, {3, 1, 0, 4, false}, {1, 2, 0, 6, false},
      {2, 2, 0, 4, false}, {2, 0, 0, 6, false}, {3, 0, 0, 6, false}}},
    {2, true, true, 11, {5, 4, 4},
     {{0, 0, 0, 10, false}, {0, 1, 0, 10, false}, {0, 2, 0, 10, false}, {1, 0, 0, 5, false}, {0, 0, 10, 1, false},
      {2, 1, 0, 4, false}, {1, 1, 0, 4, false}, {0, 1, 10, 1, false}, {3, 2, 0, 1, false}, {3, 1, 0, 4, false},
      {1, 2, 0, 4, false}, {0, 2, 10, 1, false}, {3, 2, 1, 1, false}, {2, 2, 0, 4, false}, {2, 0, 0, 5, false},
      {3, 2, 2, 1, false}, {3, 0, 0, 5, false}, {3, 2, 3, 1, false}}},
    {6, true, true, 11, {4, 5, 4},
     {{0, 0, 0, 10, false}, {0, 1, 0, 10, false}, {0, 2, 0, 10, false}, {1, 0, 0, 4, false}, {0, 0, 10, 1, false},
      {3, 1, 4, 1, false}, {2, 1, 0, 4, false}, {1, 1, 0, 5, false}, {0, 1, 10, 1, false}, {3, 1, 0, 4, false},
      {1, 2, 0, 4, false}, {0, 2, 10, 1, false}, {3, 2, 1, 1, false}, {2, 2, 0, 4, false}, {2, 0, 0, 4, false},
      {3, 2, 0, 1, false}, {3, 2, 2, 1, false}, {3, 0, 0, 4, false}, {2, 1, 4, 1, false}, {3, 2, 3, 1, false}}},
    {10, true, true, 11, {4, 4, 5},
     {{0, 0, 0, 10, false}, {0, 1, 0, 10, false}, {0, 2, 0, 10, false}, {1, 0, 0, 4, false}, {0, 0, 10, 1, false},
      {2, 2, 4, 1, false}, {2, 1, 0, 4, false}, {1, 1, 0, 4, false}, {0, 1, 10, 1, false}, {3, 2, 0, 1, false},
      {3, 1, 0, 4, false}, {1, 2, 0, 5, false}, {0, 2, 10, 1, false}, {2, 2, 0, 4, false}, {2, 0, 0, 4, false},
      {3, 2, 1, 1, false}, {3, 2, 2, 1, false}, {3, 0, 0, 4, false}, {3, 2, 4, 1, false}, {3, 2, 3, 1, false}}},
    {14, true, true, 9, {5, 5, 5},
     {{0, 0, 0, 9, false}, {2, 2, 4, 1, false}, {0, 1, 0, 9, false}, {2, 1, 4, 1, false}, {0, 2, 0, 9, false},
      {3, 2, 4, 1, false}, {1, 0, 0, 5, false}, {3, 1, 4, 1, false}, {2, 1, 0, 4, false}, {1, 1, 0, 5, false},
      {3, 2, 0, 1, false}, {3, 1, 0, 4, false}, {1, 2, 0, 5, false}, {3, 2, 1, 1, false}, {2, 2, 0, 4, false},
      {2, 0, 0, 5, false}, {3, 2, 2, 1, false}, {3, 0, 0, 5, false}, {3, 2, 3, 1, false}}},
    {18, true, true, 8, {6, 5, 5},
     {{0, 0, 0, 8, false}, {3, 1, 4, 1, false}, {2, 2, 4, 1, false}, {0, 1, 0, 8, false}, {3, 2, 2, 1, false},
      {2, 1, 4, 1, false}, {0, 2, 0, 8, false}, {3, 2, 3, 1, false}, {3, 2, 4, 1, false}, {1, 0, 0, 6, false},
      {2, 1, 0, 4, false}, {1, 1, 0, 5, false}, {3, 2, 0, 1, false}, {3, 1, 0, 4, false}, {1, 2, 0, 5, false},
      {3, 2, 1, 1, false}, {2, 2, 0, 4, false}, {2, 0, 0, 6, false}, {3, 0, 0, 6, false}}},
    {22, true, true, 8, {5, 6, 5},
     {{0, 0, 0, 8, false}, {3, 2, 0, 1, false}, {2, 2, 4, 1, false}, {0, 1, 0, 8, false}, {2, 1, 5, 1, false},
      {2, 1, 4, 1, false}, {0, 2, 0, 8, false}, {3, 1, 5, 1, false}, {3, 2, 4, 1, false}, {1, 0, 0, 5, false},
      {3, 1, 4, 1, false}, {2, 1, 0, 4, false}, {1, 1, 0, 6, false}, {3, 1, 0, 4, false}, {1, 2, 0, 5, false},
      {3, 2, 1, 1, false}, {2, 2, 0, 4, false}, {2, 0, 0, 5, false}, {3, 2, 2, 1, false}, {3, 0, 0, 5, false},
      {3, 2, 3, 1, false}}},
    {26, true, true, 8, {5, 5, 6},
     {{0, 0, 0, 8, false}, {3, 2, 1, 1, false}, {2, 2, 4, 1, false}, {0, 1, 0, 8, false}, {2, 2, 5, 1, false},
      {2, 1, 4, 1, false}, {0, 2, 0, 8, false}, {3, 2, 5, 1, false}, {3, 2, 4, 1, false}, {1, 0, 0, 5, false},
      {3, 1, 4, 1, false}, {2, 1, 0, 4, false}, {1, 1, 0, 5, false}, {3, 2, 0, 1, false}, {3, 1, 0, 4, false},
      {1, 2, 0, 6, false}, {2, 2, 0, 4, false}, {2, 0, 0, 5, false}, {3, 2, 2, 1, false}, {3, 0, 0, 5, false},
      {3, 2, 3, 1, false}}},
    {30, false, true, 6, {6, 6, 6},
     {{0, 0, 0, 6, false}, {3, 1, 4, 1, false}, {3, 2, 0, 1, false}, {3, 2, 1, 1, false}, {2, 2, 4, 1, false},
      {0, 1, 0, 6, false}, {2, 1, 5, 1, false}, {2, 2, 5, 1, false}, {3, 2, 2, 1, false}, {2, 1, 4, 1, false},
      {0, 2, 0, 6, false}, {3, 1, 5, 1, false}, {3, 2, 3, 1, false}, {3, 2, 5, 1, false}, {3, 2, 4, 1, false},
      {1, 0, 0, 6, false}, {2, 1, 0, 4, false}, {1, 1, 0, 6, false}, {3, 1, 0, 4, false}, {1, 2, 0, 6, false},
      {2, 2, 0, 4, false}, {2, 0, 0, 6, false}, {3, 0, 0, 6, false}}},
    {3, false, false, 10, {10, 10, 10},
     {{0, 0, 0, 10, false}, {0, 1, 0, 10, false}, {0, 2, 0, 10, false}, {1, 0, 0, 10, false}, {1, 1, 0, 10, false},
      {1, 2, 0, 10, false}}},
    {7, true, false, 11, {9, 9, 9},
     {{0, 0, 0, 10, false}, {0, 1, 0, 10, false}, {0, 2, 0, 10, false}, {1, 0, 0, 9, false}, {0, 0, 10, 1, false},
      {1, 1, 0, 9, false}, {0, 1, 10, 1, false}, {1, 2, 0, 9, false}, {0, 2, 10, 1, false}}},
    {11, true, false, 12, {8, 8, 8},
     {{0, 0, 0, 10, false}, {0, 1, 0, 10, false}, {0, 2, 0, 10, false}, {1, 0, 0, 8, false}, {0, 0, 10, 2, true},
      {1, 1, 0, 8, false}, {0, 1, 10, 2, true}, {1, 2, 0, 8, false}, {0, 2, 10, 2, true}}},
    {15, true, false, 16, {4, 4, 4},
     {{0, 0, 0, 10, false}, {0, 1, 0, 10, false}, {0, 2, 0, 10, false}, {1, 0, 0, 4, false}, {0, 0, 10, 6, true},
      {1, 1, 0, 4, false}, {0, 1, 10, 6, true}, {1, 2, 0, 4, false}, {0, 2, 10, 6, true}}},
};
// clang-format on

}  // namespace terrazzo::pipe::detail
