// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Limits, extensions and strings of a context. Minimum values: GLES 2.0 table 6.20.
#include "state_tracker/context/limits.h"

#include <algorithm>

#include "shaders/ir/limits.h"
#include "winsys/environment/environment.h"
#include "winsys/environment/values.h"

namespace terrazzo::st {
namespace {

using pipe::Format;
namespace bind = pipe::bind;

#ifndef TERRAZZO_VERSION
#define TERRAZZO_VERSION "0.1"
#endif

GLint at_most(uint32_t cap, uint32_t bound) {
    return GLint(std::min(cap, bound));
}

bool sampled(const pipe::Screen& s, Format f) {
    return s.format_supported(f, pipe::ResourceKind::Tex2D, 1, bind::kSampled);
}

constexpr GLint kStorageAlignment_B = 16;  // keeps vectors aligned

bool has_depth_textures(const Context& c) {
    return sampled(c.screen, Format::D16_UNORM) || sampled(c.screen, Format::D24_UNORM_X8);
}

bool drawn(const pipe::Screen& s, Format f) {
    return s.format_supported(f, pipe::ResourceKind::Tex2D, 1, bind::kSampled | bind::kColor);
}

bool color_buffer_float(const Context& c) {
    return c.config.version >= 30 && drawn(c.screen, Format::R32G32B32A32_FLOAT) &&
           drawn(c.screen, Format::R16G16B16A16_FLOAT) && drawn(c.screen, Format::R11G11B10_FLOAT);
}

bool has_sample_shading(const Context& c) {
    return c.config.version >= 30 && c.screen.caps().sample_shading;
}

bool has_advanced_blend(const Context& c) {
    return c.config.version >= 31 && c.screen.caps().advanced_blend;
}

bool has_viewport_array(const Context& c) {
    return c.config.version >= 31 && c.screen.caps().max_viewports == kMaxViewports;
}

/// Geometry and tessellation are parts of OpenGL ES 3.2, but devices of a lower version may have them, too.
bool has_later_stages(const Context& c) {
    const pipe::Caps& caps = c.screen.caps();
    return c.config.version >= 31 && (caps.later_stages || caps.gles_version >= 32);
}

/// GL_ANDROID_extension_pack_es31a: its other parts exist on every device that has these three.
bool has_android_pack(const Context& c) {
    return has_sample_shading(c) && has_advanced_blend(c) && has_later_stages(c);
}

/// Waits for sync files, and memory of other processes.
bool has_external_objects(const Context& c) {
    return c.screen.caps().memory_objects;
}

struct Condition {
    unsigned row;
    bool (*has)(const Context&);
};
/// The rows of extensions.txt that depend on the device. For the others, extensions.txt has the first version
/// of OpenGL ES that has them.
constexpr Condition kConditions[] = {
    {extension_row("GL_OES_depth_texture"), has_depth_textures},
    {extension_row("GL_EXT_shadow_samplers"), has_depth_textures},
    {extension_row("GL_OES_texture_float"),
     [](const Context& c) { return sampled(c.screen, Format::R32G32B32A32_FLOAT); }},
    {extension_row("GL_OES_texture_float_linear"),
     [](const Context& c) {
         return c.screen.caps().float_textures_linear && sampled(c.screen, Format::R32G32B32A32_FLOAT);
     }},
    {extension_row("GL_OES_texture_half_float"),
     [](const Context& c) { return sampled(c.screen, Format::R16G16B16A16_FLOAT); }},
    {extension_row("GL_OES_texture_half_float_linear"),
     [](const Context& c) { return sampled(c.screen, Format::R16G16B16A16_FLOAT); }},
    {extension_row("GL_OES_vertex_half_float"),
     [](const Context& c) {
         return c.screen.format_supported(Format::R16G16B16A16_FLOAT, pipe::ResourceKind::Buffer, 1,
                                          bind::kVertex);
     }},
    {extension_row("GL_EXT_depth_clamp"), [](const Context& c) { return c.screen.caps().depth_clamp; }},
    {extension_row("GL_EXT_float_blend"), color_buffer_float},
    {extension_row("GL_EXT_color_buffer_float"), color_buffer_float},
    {extension_row("GL_EXT_color_buffer_half_float"),
     [](const Context& c) { return c.config.version >= 30 && drawn(c.screen, Format::R16G16B16A16_FLOAT); }},
    {extension_row("GL_OES_sample_shading"), has_sample_shading},
    {extension_row("GL_OES_sample_variables"), has_sample_shading},
    {extension_row("GL_OES_shader_multisample_interpolation"), has_sample_shading},
    {extension_row("GL_KHR_blend_equation_advanced"), has_advanced_blend},
    {extension_row("GL_KHR_blend_equation_advanced_coherent"), has_advanced_blend},
    {extension_row("GL_EXT_blend_func_extended"),
     [](const Context& c) { return c.screen.caps().dual_source_blend; }},
    {extension_row("GL_EXT_multisampled_render_to_texture"),
     [](const Context& c) { return c.screen.caps().implicit_resolve; }},
    {extension_row("GL_EXT_shader_framebuffer_fetch"),
     [](const Context& c) { return c.screen.caps().framebuffer_fetch; }},
    {extension_row("GL_EXT_shader_framebuffer_fetch_non_coherent"),
     [](const Context& c) { return c.screen.caps().framebuffer_fetch; }},
    {extension_row("GL_OES_viewport_array"), has_viewport_array},
    {extension_row("GL_EXT_clip_cull_distance"),
     [](const Context& c) {
         return c.config.version >= 30 && c.screen.caps().max_distances == ir::kMaxDistances;
     }},
    {extension_row("GL_EXT_geometry_shader"), has_later_stages},
    {extension_row("GL_OES_geometry_shader"), has_later_stages},
    {extension_row("GL_EXT_geometry_point_size"), has_later_stages},
    {extension_row("GL_OES_geometry_point_size"), has_later_stages},
    {extension_row("GL_EXT_tessellation_shader"), has_later_stages},
    {extension_row("GL_OES_tessellation_shader"), has_later_stages},
    {extension_row("GL_EXT_tessellation_point_size"), has_later_stages},
    {extension_row("GL_OES_tessellation_point_size"), has_later_stages},
    {extension_row("GL_ANDROID_extension_pack_es31a"), has_android_pack},
    {extension_row("GL_OVR_multiview"), [](const Context& c) { return c.screen.caps().instance_layers; }},
    {extension_row("GL_OVR_multiview2"), [](const Context& c) { return c.screen.caps().instance_layers; }},
    {extension_row("GL_AMD_performance_monitor"),
     [](const Context& c) { return c.pipe->counters() != nullptr; }},
    {extension_row("GL_EXT_memory_object"), has_external_objects},
    {extension_row("GL_EXT_memory_object_fd"), has_external_objects},
    {extension_row("GL_EXT_semaphore"), has_external_objects},
    {extension_row("GL_EXT_semaphore_fd"), has_external_objects},
    {extension_row("GL_EXT_texture_filter_anisotropic"),
     [](const Context& c) { return c.screen.caps().max_anisotropy > 1; }},
};

auto extension_bits(const Context& ctx) {
    decltype(ContextLimits::extensions) bits;
    for (size_t i = 0; i < std::size(kExtensionNames); ++i)
        bits.set(i, ctx.config.version >= kExtensionSince[i]);
    for (const Condition& c : kConditions)
        if (!c.has(ctx)) bits.reset(c.row);
    return bits;
}

}  // namespace

int highest_version(const pipe::Screen& screen) {
    int version = screen.caps().gles_version;
    if (const char* const asked = winsys::environment(winsys::Variable::GlesVersion))
        (void)winsys::parse_gles_version(asked, &version);  // environment() returns valid versions only
    return version;
}

void init_limits(Context& ctx) {
    const pipe::Caps& caps = ctx.screen.caps();
    ContextLimits& l = ctx.limits;
    l.max_texture_size = GLint(caps.max_texture_size_px);
    l.max_cube_size = GLint(caps.max_cube_size_px);
    l.max_3d_size = GLint(caps.max_3d_size_px);
    l.max_array_layers = GLint(caps.max_array_layers);
    l.max_renderbuffer_size = GLint(caps.max_renderbuffer_size_px);
    l.max_viewport = GLint(caps.max_viewport_px);
    l.max_viewports = at_most(caps.max_viewports, kMaxViewports);
    l.max_vertex_attribs = at_most(caps.max_vertex_attribs, pipe::kMaxVertexAttribs);
    l.max_varying_vectors = at_most(caps.max_varying_vectors, ir::kMaxVaryings);
    l.max_vertex_uniform_vectors = GLint(caps.max_vertex_uniform_vectors);
    l.max_fragment_uniform_vectors = GLint(caps.max_fragment_uniform_vectors);
    l.max_vertex_textures = at_most(caps.max_samplers_vertex, pipe::kMaxSamplers);
    l.max_fragment_textures = at_most(caps.max_samplers_fragment, pipe::kMaxSamplers);
    l.max_combined_textures = at_most(caps.max_samplers_combined, kMaxTextureUnits);
    l.max_color_attachments = at_most(caps.max_color_targets, kMaxColorAttachments);
    l.max_draw_buffers = l.max_color_attachments;
    l.max_samples = GLint(caps.max_samples);
    l.max_vertex_uniform_blocks = l.max_fragment_uniform_blocks = GLint(pipe::kMaxConstantBuffers);
    l.shader.later_stages_store = caps.later_stages_store;
    l.shader.vertex_stores = caps.vertex_stores;
    l.max_combined_uniform_blocks = (has_later_stages(ctx)      ? 5
                                     : ctx.config.version == 31 ? 3
                                                                : 2) *
                                    GLint(pipe::kMaxConstantBuffers);
    l.max_uniform_buffer_bindings = kMaxUniformBufferBindings;
    l.max_uniform_block_B = GLint(caps.max_constant_buffer_B);
    l.uniform_alignment_B = GLint(caps.constant_alignment_B);
    l.max_storage_bindings = at_most(uint32_t(l.shader.combined_storage_blocks), kMaxStorageBufferBindings);
    l.storage_alignment_B = kStorageAlignment_B;
    l.max_atomic_bindings = at_most(uint32_t(l.shader.combined_atomic_buffers), kMaxAtomicBufferBindings);
    l.max_image_units = at_most(uint32_t(l.shader.combined_images), kMaxImageUnits);
    std::copy_n(caps.line_width_px, 2, l.line_width);
    std::copy_n(caps.point_size_px, 2, l.point_size);
    l.max_anisotropy = caps.max_anisotropy;
    l.shader.vertex_attribs = l.max_vertex_attribs;
    l.shader.vertex_uniform_vectors = l.max_vertex_uniform_vectors;
    l.shader.fragment_uniform_vectors = l.max_fragment_uniform_vectors;
    l.shader.varying_vectors = l.max_varying_vectors;
    l.shader.interleaved_components = int(ir::kMaxInterleavedComponents);
    l.shader.vertex_texture_units = l.max_vertex_textures;
    l.shader.fragment_texture_units = l.max_fragment_textures;
    l.shader.combined_texture_units = l.max_combined_textures;
    l.shader.draw_buffers = l.max_draw_buffers;
    l.shader.samples = l.max_samples;
    l.shader.uniform_blocks = l.max_vertex_uniform_blocks;
    l.shader.combined_uniform_blocks = l.max_combined_uniform_blocks;
    l.shader.uniform_block_size_B = l.max_uniform_block_B;
    l.shader.uniform_bindings = l.max_uniform_buffer_bindings;
    l.shader.storage_bindings = l.max_storage_bindings;
    l.shader.image_units = l.max_image_units;
    l.shader.distances = ctx.config.version >= 30 ? at_most(caps.max_distances, ir::kMaxDistances) : 0;
    l.shader.combined_shader_outputs = l.shader.storage_blocks + l.shader.images + l.max_draw_buffers;
    l.extensions = extension_bits(ctx);

    ctx.renderer_string = caps.renderer;
    const char digits[] = {char('0' + ctx.config.version / 10), '.', char('0' + ctx.config.version % 10), 0};
    ctx.version_string = std::string("OpenGL ES ") + digits + " Terrazzo " TERRAZZO_VERSION;
    ctx.glsl_version_string =
        std::string("OpenGL ES GLSL ES ") + (ctx.config.version == 20 ? "1.0" : digits) + "0";
    for (size_t i = 0; i < std::size(kExtensionNames); ++i)
        if (l.extensions[i])
            ctx.extension_string += std::string(ctx.extension_string.empty() ? "" : " ") + kExtensionNames[i];
}

}  // namespace terrazzo::st
