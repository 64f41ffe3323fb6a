// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The hardware's enumerators for those of pipe. Comparisons and stencil operations have the same numbers in
// both.
#pragma once

#include "drivers/adreno/hw/enums.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

constexpr hw::CompareFunc compare_func(pipe::Compare c) {
    static_assert(unsigned(hw::CompareFunc::FUNC_LESS) == unsigned(pipe::Compare::Less) &&
                  unsigned(hw::CompareFunc::FUNC_LEQUAL) == unsigned(pipe::Compare::LessEqual) &&
                  unsigned(hw::CompareFunc::FUNC_NOTEQUAL) == unsigned(pipe::Compare::NotEqual) &&
                  unsigned(hw::CompareFunc::FUNC_ALWAYS) == unsigned(pipe::Compare::Always));
    return hw::CompareFunc(unsigned(c));
}

constexpr hw::StencilOp stencil_op(pipe::StencilOp op) {
    static_assert(unsigned(hw::StencilOp::STENCIL_REPLACE) == unsigned(pipe::StencilOp::Replace) &&
                  unsigned(hw::StencilOp::STENCIL_INCR_CLAMP) == unsigned(pipe::StencilOp::IncrClamp) &&
                  unsigned(hw::StencilOp::STENCIL_INVERT) == unsigned(pipe::StencilOp::Invert) &&
                  unsigned(hw::StencilOp::STENCIL_DECR_WRAP) == unsigned(pipe::StencilOp::DecrWrap));
    return hw::StencilOp(unsigned(op));
}

constexpr hw::MsaaSamples msaa_samples(uint32_t samples) {
    return samples >= 8   ? hw::MsaaSamples::MSAA_EIGHT
           : samples >= 4 ? hw::MsaaSamples::MSAA_FOUR
           : samples >= 2 ? hw::MsaaSamples::MSAA_TWO
                          : hw::MsaaSamples::MSAA_ONE;
}

}  // namespace terrazzo::adreno
