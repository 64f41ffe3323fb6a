// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The programs that a render runs for each tile: the background program fills the tilebuffer with a clear
// colour or with the images' contents, the end-of-tile program stores it to the images. Thread: any.
#pragma once

#include <array>
#include <string>

#include "drivers/agx/images/target.h"
#include "drivers/common/program/code.h"
#include "drivers/common/program/variants.h"

namespace terrazzo::agx {

enum class TileOp : uint8_t { None, Clear, Load, Store };

/// A program stores, or it clears and loads. Target n uses texture (image) n, and its clear colour is the
/// uniform words from 4n on.
struct TileProgramKey {
    struct Target {
        TileOp op = TileOp::None;
        TileTarget place;
        bool operator==(const Target&) const = default;
    };
    std::array<Target, pipe::kMaxColorTargets> target;
    bool operator==(const TileProgramKey&) const = default;
};

class TilePrograms {
  public:
    explicit TilePrograms(Device& device) : device_(device) {}
    /// Throws std::bad_alloc.
    [[nodiscard]] const programs::DeviceCode& find(const TileProgramKey& key);
    /// Registers of all of these programs, of 32 bits.
    static constexpr unsigned kRegisters = 16;

  private:
    Device& device_;
    programs::Variants<TileProgramKey, const programs::DeviceCode, 16> programs_;
};

}  // namespace terrazzo::agx
