// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The extensions that glslang 12.0.0 knows in ESSL, except those of Vulkan and of other vendors' hardware: it
// defines their macros (TParseVersions::getPreamble). CompileOptions says which of them a shader may use.
#pragma once

#include <string_view>

namespace terrazzo::shaders::glsl {

inline constexpr std::string_view kGlslangExtensions[] = {
    "GL_OES_texture_3D",
    "GL_OES_standard_derivatives",
    "GL_EXT_frag_depth",
    "GL_OES_EGL_image_external",
    "GL_OES_EGL_image_external_essl3",
    "GL_EXT_YUV_target",
    "GL_EXT_shader_texture_lod",
    "GL_EXT_shadow_samplers",
    "GL_EXT_fragment_shading_rate",
    "GL_ANDROID_extension_pack_es31a",
    "GL_OES_sample_variables",
    "GL_OES_shader_image_atomic",
    "GL_OES_shader_multisample_interpolation",
    "GL_OES_texture_storage_multisample_2d_array",
    "GL_EXT_geometry_shader",
    "GL_EXT_geometry_point_size",
    "GL_EXT_gpu_shader5",
    "GL_EXT_primitive_bounding_box",
    "GL_EXT_shader_io_blocks",
    "GL_EXT_tessellation_shader",
    "GL_EXT_tessellation_point_size",
    "GL_EXT_texture_buffer",
    "GL_EXT_texture_cube_map_array",
    "GL_EXT_shader_implicit_conversions",
    "GL_EXT_shader_integer_mix",
    "GL_EXT_blend_func_extended",
    "GL_OVR_multiview",
    "GL_OVR_multiview2",
    "GL_OES_geometry_shader",
    "GL_OES_geometry_point_size",
    "GL_OES_gpu_shader5",
    "GL_OES_primitive_bounding_box",
    "GL_OES_shader_io_blocks",
    "GL_OES_tessellation_shader",
    "GL_OES_tessellation_point_size",
    "GL_OES_texture_buffer",
    "GL_OES_texture_cube_map_array",
    "GL_EXT_shader_non_constant_global_initializers",
    "GL_GOOGLE_cpp_style_line_directive",
    "GL_GOOGLE_include_directive",
    "GL_KHR_blend_equation_advanced",
    "GL_EXT_terminate_invocation",
};

/// Extensions that glslang does not know; its #extension lines accept them because amend.cpp adds them to its
/// list.
inline constexpr std::string_view kAddedExtensions[] = {"GL_EXT_separate_shader_objects"};

}  // namespace terrazzo::shaders::glsl
