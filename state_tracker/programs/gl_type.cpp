// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL's names of GLSL types (OpenGL ES 3.1 table 7.3).
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

using shaders::BaseType;
using shaders::GlslType;

/// GL's names of an opaque type, by what a lookup returns: floats, integers, unsigned integers; 0: there is
/// no such type.
struct OpaqueNames {
    GLenum of_float, of_int, of_uint;
};
GLenum opaque_name(const OpaqueNames& n, BaseType sampled) {
    return sampled == BaseType::Int ? n.of_int : sampled == BaseType::Uint ? n.of_uint : n.of_float;
}

GLenum sampler_type(const GlslType& t) {
    if (t.external) return GL_SAMPLER_EXTERNAL_OES;
    switch (t.dim) {
        case ir::TexDim::Cube:
            if (t.arrayed && t.shadow) return GL_SAMPLER_CUBE_MAP_ARRAY_SHADOW;
            if (t.arrayed)
                return opaque_name({GL_SAMPLER_CUBE_MAP_ARRAY, GL_INT_SAMPLER_CUBE_MAP_ARRAY,
                                    GL_UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY},
                                   t.sampled);
            if (t.shadow) return GL_SAMPLER_CUBE_SHADOW;
            return opaque_name({GL_SAMPLER_CUBE, GL_INT_SAMPLER_CUBE, GL_UNSIGNED_INT_SAMPLER_CUBE},
                               t.sampled);
        case ir::TexDim::D3:
            return opaque_name({GL_SAMPLER_3D, GL_INT_SAMPLER_3D, GL_UNSIGNED_INT_SAMPLER_3D}, t.sampled);
        case ir::TexDim::Buffer:
            return opaque_name({GL_SAMPLER_BUFFER, GL_INT_SAMPLER_BUFFER, GL_UNSIGNED_INT_SAMPLER_BUFFER},
                               t.sampled);
        case ir::TexDim::D2MS:
            if (t.arrayed)
                return opaque_name({GL_SAMPLER_2D_MULTISAMPLE_ARRAY, GL_INT_SAMPLER_2D_MULTISAMPLE_ARRAY,
                                    GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY},
                                   t.sampled);
            return opaque_name({GL_SAMPLER_2D_MULTISAMPLE, GL_INT_SAMPLER_2D_MULTISAMPLE,
                                GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE},
                               t.sampled);
        case ir::TexDim::D1:
        case ir::TexDim::D2:
            break;
    }
    if (t.arrayed && t.shadow) return GL_SAMPLER_2D_ARRAY_SHADOW;
    if (t.arrayed)
        return opaque_name({GL_SAMPLER_2D_ARRAY, GL_INT_SAMPLER_2D_ARRAY, GL_UNSIGNED_INT_SAMPLER_2D_ARRAY},
                           t.sampled);
    if (t.shadow) return GL_SAMPLER_2D_SHADOW;
    return opaque_name({GL_SAMPLER_2D, GL_INT_SAMPLER_2D, GL_UNSIGNED_INT_SAMPLER_2D}, t.sampled);
}

GLenum image_type(const GlslType& t) {
    switch (t.dim) {
        case ir::TexDim::Cube:
            if (t.arrayed)
                return opaque_name({GL_IMAGE_CUBE_MAP_ARRAY, GL_INT_IMAGE_CUBE_MAP_ARRAY,
                                    GL_UNSIGNED_INT_IMAGE_CUBE_MAP_ARRAY},
                                   t.sampled);
            return opaque_name({GL_IMAGE_CUBE, GL_INT_IMAGE_CUBE, GL_UNSIGNED_INT_IMAGE_CUBE}, t.sampled);
        case ir::TexDim::D3:
            return opaque_name({GL_IMAGE_3D, GL_INT_IMAGE_3D, GL_UNSIGNED_INT_IMAGE_3D}, t.sampled);
        case ir::TexDim::Buffer:
            return opaque_name({GL_IMAGE_BUFFER, GL_INT_IMAGE_BUFFER, GL_UNSIGNED_INT_IMAGE_BUFFER},
                               t.sampled);
        case ir::TexDim::D1:
        case ir::TexDim::D2:
        case ir::TexDim::D2MS:
            break;
    }
    if (t.arrayed)
        return opaque_name({GL_IMAGE_2D_ARRAY, GL_INT_IMAGE_2D_ARRAY, GL_UNSIGNED_INT_IMAGE_2D_ARRAY},
                           t.sampled);
    return opaque_name({GL_IMAGE_2D, GL_INT_IMAGE_2D, GL_UNSIGNED_INT_IMAGE_2D}, t.sampled);
}

GLenum float_type(const GlslType& t, unsigned row) {
    static constexpr GLenum kFloat[] = {GL_FLOAT, GL_FLOAT_VEC2, GL_FLOAT_VEC3, GL_FLOAT_VEC4};
    static constexpr GLenum kMatrix[3][3] = {{GL_FLOAT_MAT2, GL_FLOAT_MAT2x3, GL_FLOAT_MAT2x4},
                                             {GL_FLOAT_MAT3x2, GL_FLOAT_MAT3, GL_FLOAT_MAT3x4},
                                             {GL_FLOAT_MAT4x2, GL_FLOAT_MAT4x3, GL_FLOAT_MAT4}};
    if (t.columns >= 2 && t.columns <= 4 && t.rows >= 2) return kMatrix[t.columns - 2][t.rows - 2];
    return kFloat[row];
}

}  // namespace

GLenum gl_type(const GlslType& t) {
    static constexpr GLenum kInt[] = {GL_INT, GL_INT_VEC2, GL_INT_VEC3, GL_INT_VEC4};
    static constexpr GLenum kUint[] = {GL_UNSIGNED_INT, GL_UNSIGNED_INT_VEC2, GL_UNSIGNED_INT_VEC3,
                                       GL_UNSIGNED_INT_VEC4};
    static constexpr GLenum kBool[] = {GL_BOOL, GL_BOOL_VEC2, GL_BOOL_VEC3, GL_BOOL_VEC4};
    const unsigned row = t.rows >= 1 && t.rows <= 4 ? t.rows - 1u : 0u;
    switch (t.base) {
        case BaseType::Float:
            return float_type(t, row);
        case BaseType::Int:
            return kInt[row];
        case BaseType::Uint:
            return kUint[row];
        case BaseType::Bool:
            return kBool[row];
        case BaseType::Sampler:
            return sampler_type(t);
        case BaseType::Image:
            return image_type(t);
        case BaseType::AtomicCounter:
            return GL_UNSIGNED_INT_ATOMIC_COUNTER;
    }
    return GL_FLOAT;
}

}  // namespace terrazzo::st
