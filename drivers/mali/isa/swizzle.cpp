// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Facts: Mesa 25.0.7, ISA.xml (enumerations of swizzles and lanes) and va_pack.c.
#include "drivers/mali/isa/fau.h"

#include <array>

namespace terrazzo::mali::isa {
namespace {

using enum Swizzle;
constexpr Swizzle kReserved = Swizzle(0xff);
constexpr unsigned kCodes = 16;

using Codes = std::array<Swizzle, kCodes>;

/// Codes that are not listed are reserved.
constexpr Codes codes(std::initializer_list<Swizzle> list) {
    Codes out{};
    for (unsigned i = 0; i < kCodes; i++)
        out[i] = i < list.size() ? list.begin()[i] : kReserved;
    return out;
}

constexpr Codes kSets[kSwizzleSetCount] = {
    codes({kNone}),                    // kNone
    codes({kNone, kH0, kH1}),          // kWiden
    codes({kH00, kH10, kNone, kH11}),  // kHalves
    codes({kNone, kB3210, kB0101, kB2323, kB0000, kB1111, kB2222, kB3333, kB2301, kB1032, kB0011, kB2233}),
    codes({kH00, kH10, kNone, kH11, kB00, kB20, kB02, kB22, kB11, kB31, kB13, kB33, kB01, kB23}),  // kParts16
    codes({kNone, kReserved, kH0, kH1, kB0, kB1, kB2, kB3}),                                       // kParts32
    codes({kNone, kReserved, kH0, kH1, kB0, kB1, kB2, kB3, kW0}),                                  // kParts64
    codes({kB0, kB1, kB2, kB3}),                                                                   // kLane8
    codes({kH0, kH1}),                                                                             // kLane16
    codes({kReserved, kReserved, kReserved, kReserved, kB00, kB11, kB22, kB33}),                   // kLanes
    codes({kB00, kB10, kB20, kB30, kB01, kB11, kB21, kB31, kB02, kB12, kB22, kB32, kB03, kB13, kB23, kB33}),
    codes({kNone, kH0, kH1, kAnd, kLowbits}),  // kBranch
};

constexpr const char* kNames[] = {
#define SWIZZLE(enumerator, text) text,
#include "drivers/mali/isa/swizzles.inc"
#undef SWIZZLE
};

/// Whether each swizzle has only one code in each set.
constexpr bool sound() {
    for (const Codes& set : kSets) {
        for (unsigned i = 0; i < kCodes; i++) {
            for (unsigned j = 0; j < i; j++)
                if (set[i] != kReserved && set[i] == set[j]) return false;
        }
    }
    return true;
}
static_assert(sound());

/// By set and swizzle: the code; -1: the set has no such swizzle.
struct Inverse {
    int8_t code[kSwizzleSetCount][std::size(kNames)];
};
consteval Inverse invert() {
    Inverse out{};
    for (unsigned set = 0; set < kSwizzleSetCount; set++) {
        for (int8_t& code : out.code[set])
            code = -1;
        for (unsigned code = 0; code < kCodes; code++)
            if (kSets[set][code] != kReserved) out.code[set][unsigned(kSets[set][code])] = int8_t(code);
    }
    return out;
}
constexpr Inverse kInverse = invert();

}  // namespace

bool swizzle_of_code(SwizzleSet set, uint64_t code, Swizzle* out) {
    const Swizzle swizzle = code < kCodes ? kSets[unsigned(set)][code] : kReserved;
    if (swizzle == kReserved) return false;
    *out = swizzle;
    return true;
}

int code_of_swizzle(SwizzleSet set, Swizzle swizzle) {
    return unsigned(swizzle) < std::size(kNames) ? kInverse.code[unsigned(set)][unsigned(swizzle)] : -1;
}

const char* swizzle_name(Swizzle swizzle) {
    return unsigned(swizzle) < std::size(kNames) ? kNames[unsigned(swizzle)] : "";
}

bool find_swizzle(SwizzleSet set, std::string_view text, Swizzle* out) {
    const bool halves = set == SwizzleSet::kHalves || set == SwizzleSet::kParts16;
    if ((halves && text == "h01") || (set == SwizzleSet::kParts8 && text == "b0123")) {
        *out = kNone;
        return true;
    }
    for (Swizzle swizzle : kSets[unsigned(set)]) {
        if (swizzle != kReserved && swizzle != kNone && text == swizzle_name(swizzle)) {
            *out = swizzle;
            return true;
        }
    }
    return false;
}

}  // namespace terrazzo::mali::isa
