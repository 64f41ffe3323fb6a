// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <new>
#include <string>

#include "drivers/common/program/vendor_program.h"
#include "shaders/own_stack.h"

namespace terrazzo::programs {

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
