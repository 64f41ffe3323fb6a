// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GPU memory for tests: arrays at addresses.
#pragma once

#include <memory>
#include <vector>

#include "drivers/common/window/window.h"

namespace terrazzo::adreno::test {

class ArraySpace : public window::Space {
  public:
    /// Zeroed bytes at `va`. They are not moved.
    uint8_t* map(uint64_t va, uint64_t size_B, bool writable = true) {
        arrays_.push_back({va, writable, std::vector<uint8_t>(size_B)});
        return arrays_.back().bytes.data();
    }
    window::Mapping find(uint64_t va) override {
        for (Array& a : arrays_)
            if (va >= a.va && va - a.va < a.bytes.size())
                return {a.va, a.va + a.bytes.size(), a.bytes.data(), a.writable, false};
        return {};
    }
    uint64_t epoch() const override { return 0; }

  private:
    struct Array {
        uint64_t va;
        bool writable;
        std::vector<uint8_t> bytes;
    };
    std::vector<Array> arrays_;  // moving a vector does not move its bytes
};

}  // namespace terrazzo::adreno::test
