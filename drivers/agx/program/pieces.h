// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The pieces of code before and after shaders, which depend on the draw's state: attributes are fetched in
// their formats, colours are blended and stored in those of the targets. A screen compiles each once. Thread:
// any.
#pragma once

#include <array>
#include <span>

#include "drivers/agx/compiler/compile.h"
#include "drivers/agx/images/target.h"
#include "drivers/common/blend/shader.h"
#include "drivers/common/program/variants.h"
#include "drivers/common/program/vendor_program.h"

namespace terrazzo::agx {

/// The attributes that a vertex program fetches.
struct FetchKey {
    struct Location {
        compiler::Attribute attribute;
        uint8_t components = 0;  // bits of components that the shader reads; 0: the location is not read
        bool operator==(const Location&) const = default;
    };
    std::array<Location, compiler::kMaxAttributes> at;
    bool operator==(const FetchKey&) const = default;
};

/// What happens to the colours of one target.
struct StoreKey {
    bool writes = false;  // false: nothing; all other members have their defaults
    bool blends = false;  // by `blend`; otherwise the colour is stored as it is
    blend::ShaderDesc blend;
    compiler::BlendTarget target;
    bool operator==(const StoreKey&) const = default;
};
/// By target.
using StoreKeys = std::array<StoreKey, pipe::kMaxColorTargets>;

class Pieces {
  public:
    /// Both throw std::bad_alloc. A piece that the compiler refuses has an error.
    [[nodiscard]] const compiler::Binary& fetch(const FetchKey& key);
    [[nodiscard]] const compiler::Binary& store(const StoreKey& key);

  private:
    programs::Variants<FetchKey, const compiler::Binary, 64> fetches_;
    programs::Variants<StoreKey, const compiler::Binary, 64> stores_;
};

/// What programs of a screen share.
struct ProgramShared : programs::Shared {
    Pieces pieces;
};

}  // namespace terrazzo::agx
