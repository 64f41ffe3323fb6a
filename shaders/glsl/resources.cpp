// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/resources.h"

#include <glslang/Public/ResourceLimits.h>

#include "shaders/counter_limits.h"

namespace terrazzo::shaders::glsl {

TBuiltInResource built_in_resources(const Limits& l) {
    TBuiltInResource r = *GetDefaultResources();
    r.maxVertexAttribs = l.vertex_attribs;
    r.maxVertexUniformVectors = l.vertex_uniform_vectors;
    r.maxVertexUniformComponents = 4 * l.vertex_uniform_vectors;
    r.maxFragmentUniformVectors = l.fragment_uniform_vectors;
    r.maxFragmentUniformComponents = 4 * l.fragment_uniform_vectors;
    r.maxVaryingVectors = l.varying_vectors;
    r.maxVaryingFloats = r.maxVaryingComponents = 4 * l.varying_vectors;
    r.maxVertexOutputVectors = r.maxFragmentInputVectors = l.varying_vectors;
    r.maxVertexOutputComponents = r.maxFragmentInputComponents = 4 * l.varying_vectors;
    r.maxVertexTextureImageUnits = l.vertex_texture_units;
    r.maxTextureImageUnits = l.fragment_texture_units;
    r.maxCombinedTextureImageUnits = l.combined_texture_units;
    r.minProgramTexelOffset = kMinTexelOffset;
    r.maxProgramTexelOffset = kMaxTexelOffset;
    r.maxDrawBuffers = l.draw_buffers;
    r.maxSamples = l.samples;
    r.maxDualSourceDrawBuffersEXT = 1;  // ir::FragSlot::Second
    for (int n = 0; n < 3; ++n) {
        (&r.maxComputeWorkGroupCountX)[n] = 65535;
        (&r.maxComputeWorkGroupSizeX)[n] = l.compute_group_size[n];
    }
    r.maxComputeUniformComponents = 4 * l.fragment_uniform_vectors;
    r.maxComputeTextureImageUnits = l.fragment_texture_units;
    r.maxImageUnits = r.maxCombinedImageUniforms = l.combined_images;
    r.maxFragmentImageUniforms = r.maxComputeImageUniforms = l.images;
    r.maxCombinedShaderOutputResources = l.combined_shader_outputs;
    r.maxAtomicCounterBufferSize = kMaxCounterBuffer_B;
    r.maxFragmentAtomicCounters = r.maxComputeAtomicCounters = l.atomic_counters;
    r.maxCombinedAtomicCounters = l.combined_atomic_counters;
    r.maxFragmentAtomicCounterBuffers = r.maxComputeAtomicCounterBuffers = l.atomic_buffers;
    r.maxAtomicCounterBindings = r.maxCombinedAtomicCounterBuffers = l.combined_atomic_buffers;
    const int components = 4 * l.varying_vectors;
    r.maxGeometryInputComponents = r.maxGeometryOutputComponents = components;
    r.maxGeometryOutputVertices = l.geometry_vertices;
    r.maxGeometryTotalOutputComponents = l.geometry_output_components;
    r.maxTessControlInputComponents = r.maxTessControlOutputComponents = components;
    r.maxTessEvaluationInputComponents = r.maxTessEvaluationOutputComponents = components;
    r.maxTessControlTotalOutputComponents = l.tess_control_output_components;
    r.maxTessPatchComponents = l.patch_components;
    r.maxPatchVertices = l.patch_vertices;
    r.maxTessGenLevel = l.tess_level;
    r.maxGeometryTextureImageUnits = r.maxTessControlTextureImageUnits =
        r.maxTessEvaluationTextureImageUnits = l.vertex_texture_units;
    r.maxGeometryUniformComponents = r.maxTessControlUniformComponents =
        r.maxTessEvaluationUniformComponents = 4 * l.vertex_uniform_vectors;
    const auto at_vertices = [&](int n) { return l.stored(ir::Stage::Vertex, n); };
    r.maxVertexImageUniforms = at_vertices(l.images);
    r.maxVertexAtomicCounters = at_vertices(l.atomic_counters);
    r.maxVertexAtomicCounterBuffers = at_vertices(l.atomic_buffers);
    const auto stored = [&](int n) { return l.stored(ir::Stage::Geometry, n); };
    r.maxGeometryImageUniforms = r.maxTessControlImageUniforms = r.maxTessEvaluationImageUniforms =
        stored(l.images);
    r.maxGeometryAtomicCounters = r.maxTessControlAtomicCounters = r.maxTessEvaluationAtomicCounters =
        stored(l.atomic_counters);
    r.maxGeometryAtomicCounterBuffers = r.maxTessControlAtomicCounterBuffers =
        r.maxTessEvaluationAtomicCounterBuffers = stored(l.atomic_buffers);
    // ESSL 1.00 Appendix A lets an implementation refuse general loops and indexing; all are supported here.
    r.limits.nonInductiveForLoops = true;
    r.limits.whileLoops = true;
    r.limits.doWhileLoops = true;
    r.limits.generalUniformIndexing = true;
    r.limits.generalAttributeMatrixVectorIndexing = true;
    r.limits.generalVaryingIndexing = true;
    r.limits.generalSamplerIndexing = true;
    r.limits.generalVariableIndexing = true;
    r.limits.generalConstantMatrixVectorIndexing = true;
    return r;
}

}  // namespace terrazzo::shaders::glsl
