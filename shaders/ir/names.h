// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The words of the text form, one table for each enumeration: printer, parser and validator share them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

template <typename E>
struct Names;  // specialised for each enumeration: static constexpr std::array<std::string_view, N> list

#define TZ_NAMES(E, n, ...)                                                      \
    template <>                                                                  \
    struct Names<E> {                                                            \
        static constexpr std::array<std::string_view, n> list = {{__VA_ARGS__}}; \
    }
TZ_NAMES(Stage, kStageCount, "vertex", "tess_control", "tess_eval", "geometry", "fragment", "compute");
TZ_NAMES(Type, 7, "void", "bool", "i16", "i32", "i64", "f16", "f32");
TZ_NAMES(Storage, 9, "local", "input", "output", "uniform", "sampler", "buffer", "image", "shared",
         "uniform_block");
TZ_NAMES(Precision, 4, "noprec", "lowp", "mediump", "highp");
TZ_NAMES(Interp, 3, "smooth", "flat", "noperspective");
TZ_NAMES(InterpAt, 3, "center", "centroid", "sample");
TZ_NAMES(TexDim, 6, "1d", "2d", "3d", "cube", "texbuffer", "2dms");
TZ_NAMES(Sysval, 30, "vertex_id", "instance_id", "base_vertex", "base_instance", "draw_id", "frag_coord",
         "point_coord", "front_facing", "sample_id", "sample_pos", "sample_mask_in", "num_samples",
         "sample_positions", "helper_invocation", "primitive_id", "invocation_id", "patch_vertices",
         "tess_coord", "work_group_id", "local_invocation_id", "local_invocation_index", "num_work_groups",
         "last_color0", "last_color1", "last_color2", "last_color3", "last_color4", "last_color5",
         "last_color6", "last_color7");
TZ_NAMES(TexOp, 10, "sample", "sample_bias", "sample_lod", "sample_grad", "fetch", "fetch_ms", "gather",
         "size", "levels", "query_lod");
TZ_NAMES(MemOp, 11, "none", "add", "imin", "imax", "umin", "umax", "and", "or", "xor", "exchange",
         "compare_exchange");
TZ_NAMES(MemScope, 3, "none", "workgroup", "device");
TZ_NAMES(ImageFormat, 14, "noformat", "rgba32f", "rgba16f", "r32f", "rgba8", "rgba8_snorm", "rgba32i",
         "rgba16i", "rgba8i", "r32i", "rgba32ui", "rgba16ui", "rgba8ui", "r32ui");
#undef TZ_NAMES

/// Words of bits: bit n has the n-th word.
inline constexpr std::array<std::string_view, 5> kMemFlagNames = {"coherent", "volatile", "restrict",
                                                                  "readonly", "writeonly"};
inline constexpr std::array<std::string_view, 3> kMemSpaceNames = {"buffers", "images", "shared"};

/// The enumerator's word; "?" if the value is no enumerator.
template <typename E>
[[nodiscard]] constexpr std::string_view name_of(E e) {
    return size_t(e) < Names<E>::list.size() ? Names<E>::list[size_t(e)] : "?";
}

template <typename E>
[[nodiscard]] constexpr std::optional<E> from_name(std::string_view word) {
    for (size_t i = 0; i < Names<E>::list.size(); i++)
        if (Names<E>::list[i] == word) return E(i);
    return std::nullopt;
}

}  // namespace terrazzo::ir
