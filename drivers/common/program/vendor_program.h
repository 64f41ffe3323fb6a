// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The creation of a vendor's program.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <string>

#include "drivers/common/program/stages.h"
#include "pipe/log.h"
#include "pipe/state.h"
#include "shaders/own_stack.h"

namespace terrazzo::shaders {
class ShaderCache;
}

namespace terrazzo::programs {

/// The slots that a stage of a program reads or writes, a bit each.
struct UsedSlots {
    uint32_t textures = 0, images = 0;
};

/// What the programs of a screen share. A vendor may add members.
struct Shared {
    shaders::ShaderCache* cache = nullptr;  // keeps code from one run to the next; null: code is not cached
};

inline constexpr const char* kOutOfMemory = "out of memory";

/// `Self` is a vendor's program, which derives from this; `D` is its device. Self has
///   static constexpr StageSupport kSupport
///   // Compiles and uploads all stages. Returns an empty string, or an error. May throw std::bad_alloc.
///   std::string build(D&, const pipe::ProgramDesc&, Shared&)
///   Self()
template <class Self, class D, class SharedParts = programs::Shared>
class VendorProgram : public pipe::Program {
  public:
    using Shared = SharedParts;
    /// Null: a stage or feature is not supported, the compiler refused a shader, or out of memory (logged to
    /// `log`, with the program's label).
    [[nodiscard]] static pipe::Ref<Self> create(D& device, const pipe::ProgramDesc& desc,
                                                const pipe::Log& log, Shared& shared) {
        std::string error;
        try {
            if (const char* const why = refuse_stages(desc, Self::kSupport)) {
                error = why;
            } else {
                auto p = pipe::Ref<Self>::adopt(new Self);
                error = p->build(device, desc, shared);
                if (error.empty()) return p;
            }
        } catch (const std::bad_alloc&) {
            error = kOutOfMemory;
        }
        log(pipe::Severity::Error, message(device.vendor, desc, error));
        return nullptr;
    }
    std::array<UsedSlots, pipe::kStageCount> used;  // indexed by pipe::Stage
    /// For Recording::hold().
    mutable std::atomic<uint64_t> held_by{0};
};

/// A variant of a stage for Variants, which build(&variant) compiles. The string that it returns becomes the
/// variant's `error`.
template <class Variant, class F>
[[nodiscard]] std::unique_ptr<Variant> create_variant(F&& build) {
    auto out = std::make_unique<Variant>();
    out->error = shaders::on_own_stack([&]() -> std::string {
        try {
            return build(out.get());
        } catch (const std::bad_alloc&) {
            return kOutOfMemory;
        }
    });
    return out;
}

}  // namespace terrazzo::programs
