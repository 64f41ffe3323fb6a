// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The extensions that a shader may name: rows of extensions.txt. A context enables those that it has.
// Compilers without a context may enable all.
#pragma once

#include <string_view>

namespace terrazzo::st {

inline constexpr std::string_view kShaderExtensionNames[] = {
    "GL_OES_standard_derivatives",
    "GL_EXT_shader_texture_lod",
    "GL_EXT_shader_integer_mix",
    "GL_EXT_shader_implicit_conversions",
    "GL_OES_texture_3D",
    "GL_EXT_shadow_samplers",
    "GL_EXT_separate_shader_objects",
    "GL_EXT_texture_query_lod",
    "GL_EXT_texture_shadow_lod",
    "GL_EXT_texture_buffer",
    "GL_OES_texture_buffer",
    "GL_EXT_texture_cube_map_array",
    "GL_OES_texture_cube_map_array",
    "GL_OES_texture_storage_multisample_2d_array",
    "GL_OES_EGL_image_external",
    "GL_OES_EGL_image_external_essl3",
    "GL_EXT_draw_buffers",
    "GL_NV_draw_buffers",
    "GL_EXT_frag_depth",
    "GL_EXT_draw_instanced",
    "GL_EXT_blend_func_extended",
    "GL_EXT_shader_framebuffer_fetch",
    "GL_EXT_shader_framebuffer_fetch_non_coherent",
    "GL_KHR_blend_equation_advanced",
    "GL_OES_sample_variables",
    "GL_OES_shader_multisample_interpolation",
    "GL_OES_shader_image_atomic",
    "GL_OES_gpu_shader5",
    "GL_EXT_gpu_shader5",
    "GL_OES_shader_io_blocks",
    "GL_EXT_shader_io_blocks",
    "GL_EXT_primitive_bounding_box",
    "GL_OES_primitive_bounding_box",
    "GL_EXT_geometry_shader",
    "GL_OES_geometry_shader",
    "GL_EXT_geometry_point_size",
    "GL_OES_geometry_point_size",
    "GL_EXT_tessellation_shader",
    "GL_OES_tessellation_shader",
    "GL_EXT_tessellation_point_size",
    "GL_OES_tessellation_point_size",
    "GL_OES_viewport_array",
    "GL_OVR_multiview",
    "GL_OVR_multiview2",
    "GL_EXT_clip_cull_distance",
    "GL_ANDROID_extension_pack_es31a",
};

}  // namespace terrazzo::st
