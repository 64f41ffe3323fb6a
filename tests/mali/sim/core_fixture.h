// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A core with a page of code, writable and read-only pages of data, and no units.
#pragma once

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "drivers/mali/sim/core/core.h"

namespace terrazzo::mali::sim::testing {

/// Clang does not bind a reference to a vector's element, which doctest needs.
inline uint32_t lane(const U32& v, unsigned i) {
    return v[i];
}

class ArraySpace : public Space {
  public:
    static constexpr uint64_t kCode = 0x10000, kData = 0x20000, kReadOnly = 0x30000, kPage = 0x1000;
    ArraySpace() : code_(kPage), data_(kPage), constant_(kPage) {}
    Mapping find(uint64_t va) override {
        for (const Mapping& m : {Mapping{kCode, kCode + kPage, code_.data(), false, true},
                                 Mapping{kData, kData + kPage, data_.data(), true, false},
                                 Mapping{kReadOnly, kReadOnly + kPage, constant_.data(), false, false}})
            if (va >= m.begin && va < m.end) return m;
        return {};
    }
    uint64_t epoch() const override { return 0; }
    std::vector<uint8_t> code_, data_, constant_;
};

struct CoreFixture {
    ArraySpace space;
    Units no_units;
    Core core{space, no_units};
    Warp warp;
    CoreFault fault;

    void load(const std::string& text) {
        std::vector<uint64_t> words;
        isa::Error error;
        const bool good = isa::assemble(text, &words, &error);
        INFO(std::string(error.reason));
        REQUIRE(good);
        REQUIRE(words.size() * 8 <= space.code_.size());
        std::memset(space.code_.data(), 0, space.code_.size());
        std::memcpy(space.code_.data(), words.data(), words.size() * 8);
    }
    Outcome run(const std::string& text, uint32_t lanes = 0xffff) {
        load(text);
        core.start(warp, ArraySpace::kCode, lanes);
        return core.run(warp, &fault);
    }
    void set(unsigned reg, U32 value) {
        warp.r[reg] = value;
        warp.defined |= 1ull << reg;
    }
    void set_address(unsigned reg, uint64_t va) {
        set(reg, wave::splat(uint32_t(va)));
        set(reg + 1, wave::splat(uint32_t(va >> 32)));
    }
};

}  // namespace terrazzo::mali::sim::testing
