// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every extension of the shading language, in every version of ESSL that its specification in Khronos'
// registry allows. A text may require it; then its macro and all its names exist. Without the extension a
// text has none of them.
#include <doctest/doctest.h>

#include <iterator>
#include <set>

#include "shaders/ir/validate.h"
#include "state_tracker/programs/shader_extensions.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;
using ir::Stage;

namespace {

/// Versions of ESSL: the first and the last one for which the extension is specified, and the first one that
/// has the names without it (EXT_draw_buffers changes values of names that ESSL 1.00 has).
struct Versions {
    int first, last = 320, core = 1000;
};
struct Row {
    const char* extension;
    Versions versions;
    Stage stage;
    const char* declarations;
    const char* statement;
};
constexpr Versions k100{100, 100}, k300{300}, k310{310}, kTo320{310, 320, 320}, kSamples{300, 320, 320};
constexpr Stage F = Stage::Fragment, V = Stage::Vertex, G = Stage::Geometry, C = Stage::TessControl,
                E = Stage::TessEval;

constexpr const char kMs[] =
    "uniform highp sampler2DMSArray a; uniform highp isampler2DMSArray b; "
    "uniform highp usampler2DMSArray c;";
constexpr const char kCubes[] =
    "uniform highp samplerCubeArray a; uniform highp isamplerCubeArray b; uniform highp usamplerCubeArray c; "
    "uniform highp samplerCubeArrayShadow d; layout(rgba8, binding = 0) readonly uniform highp "
    "imageCubeArray e; "
    "layout(rgba8i, binding = 1) readonly uniform highp iimageCubeArray f; "
    "layout(rgba8ui, binding = 2) readonly uniform highp uimageCubeArray g;";
constexpr const char kCubeUse[] =
    "o = texture(a, v) + textureLod(a, v, 1.) + textureGrad(a, v, v.xyz, v.xyz) + textureGather(a, v, 1) + "
    "vec4(texture(b, v)) + vec4(textureLod(c, v, 1.)) + texture(d, v, .5) + textureGather(d, v, .5) + "
    "vec4(textureSize(a, 0), textureSize(d, 0)) + imageLoad(e, ivec3(1)) + vec4(imageLoad(f, ivec3(1))) + "
    "vec4(imageLoad(g, ivec3(1))) + vec4(imageSize(e), 1);";
constexpr const char kBuffers[] =
    "uniform highp samplerBuffer a; uniform highp isamplerBuffer b; uniform highp usamplerBuffer c; "
    "layout(rgba8, binding = 0) readonly uniform highp imageBuffer e; "
    "layout(rgba8i, binding = 1) readonly uniform highp iimageBuffer f; "
    "layout(rgba8ui, binding = 2) readonly uniform highp uimageBuffer g;";
constexpr const char kBufferUse[] =
    "o = texelFetch(a, 1) + vec4(texelFetch(b, 1)) + vec4(texelFetch(c, textureSize(a))) + imageLoad(e, 1) + "
    "vec4(imageLoad(f, 1)) + vec4(imageLoad(g, imageSize(e)));";
constexpr const char kAtomics[] =
    "layout(r32i, binding = 0) uniform highp iimage2D a; layout(r32ui, binding = 1) uniform highp uimage2D "
    "b; "
    "layout(r32f, binding = 2) uniform highp image2D c;";
constexpr const char kAtomicUse[] =
    "ivec2 p = ivec2(0); o = vec4(imageAtomicAdd(a, p, 1) + imageAtomicMin(a, p, 1) + imageAtomicMax(a, p, "
    "1) + "
    "imageAtomicAnd(a, p, 1) + imageAtomicOr(a, p, 1) + imageAtomicXor(a, p, 1) + imageAtomicExchange(a, p, "
    "1) + "
    "imageAtomicCompSwap(a, p, 1, 2)) + vec4(imageAtomicAdd(b, p, 1u) + imageAtomicCompSwap(b, p, 1u, 2u)) + "
    "imageAtomicExchange(c, p, 1.);";
constexpr const char kGeometry[] = "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;";
constexpr const char kGeometryUse[] =
    "for (int i = 0; i < gl_in.length(); ++i) { gl_Position = gl_in[i].gl_Position; gl_Layer = "
    "gl_InvocationID; "
    "gl_PrimitiveID = gl_PrimitiveIDIn; EmitVertex(); } EndPrimitive();";
constexpr const char kGeometryConstants[] =
    "o = vec4(gl_MaxGeometryInputComponents + gl_MaxGeometryOutputComponents + gl_MaxGeometryImageUniforms + "
    "gl_MaxGeometryTextureImageUnits + gl_MaxGeometryOutputVertices + gl_MaxGeometryTotalOutputComponents + "
    "gl_MaxGeometryUniformComponents + gl_MaxGeometryAtomicCounters + gl_MaxGeometryAtomicCounterBuffers + "
    "gl_PrimitiveID + gl_Layer);";
constexpr const char kControl[] =
    "layout(vertices = 3) out; in vec4 i[]; out vec4 u[]; patch out vec4 p; patch out Q { vec4 q; } r[2];";
constexpr const char kControlUse[] =
    "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; u[gl_InvocationID] = i[0]; "
    "p = vec4(gl_PrimitiveID, gl_PatchVerticesIn, gl_MaxPatchVertices, gl_MaxTessPatchComponents); r[1].q = "
    "p; "
    "gl_TessLevelOuter[0] = 1.; gl_TessLevelInner[1] = 2.; barrier();";
constexpr const char kEvaluation[] =
    "layout(quads, fractional_odd_spacing, ccw, point_mode) in; patch in vec4 p;";
constexpr const char kEvaluationUse[] =
    "gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + p + vec4(gl_TessLevelOuter[0], "
    "gl_TessLevelInner[0], "
    "gl_PatchVerticesIn, gl_PrimitiveID);";
constexpr const char kTessConstants[] =
    "o = vec4(gl_MaxTessControlInputComponents + gl_MaxTessControlOutputComponents + "
    "gl_MaxTessControlTextureImageUnits + gl_MaxTessControlUniformComponents + "
    "gl_MaxTessControlTotalOutputComponents + gl_MaxTessControlImageUniforms + "
    "gl_MaxTessControlAtomicCounters + "
    "gl_MaxTessControlAtomicCounterBuffers + gl_MaxTessEvaluationInputComponents + "
    "gl_MaxTessEvaluationOutputComponents + gl_MaxTessEvaluationTextureImageUnits + "
    "gl_MaxTessEvaluationUniformComponents + gl_MaxTessEvaluationImageUniforms + "
    "gl_MaxTessEvaluationAtomicCounters + gl_MaxTessEvaluationAtomicCounterBuffers + "
    "gl_MaxTessPatchComponents + "
    "gl_MaxPatchVertices + gl_MaxTessGenLevel);";
constexpr const char kLods[] =
    "uniform highp sampler2D a; uniform highp isampler2D b; uniform highp usampler2D c; uniform highp "
    "sampler3D d; "
    "uniform highp samplerCube e; uniform highp sampler2DArray f; uniform highp sampler2DShadow g; "
    "uniform highp samplerCubeShadow h; uniform highp sampler2DArrayShadow i;";
constexpr const char kLodUse[] =
    "o.xy = textureQueryLOD(a, v.xy) + textureQueryLOD(b, v.xy) + textureQueryLOD(c, v.xy) + "
    "textureQueryLOD(d, v.xyz) + textureQueryLOD(e, v.xyz) + textureQueryLOD(f, v.xy) + textureQueryLOD(g, "
    "v.xy) + "
    "textureQueryLOD(h, v.xyz) + textureQueryLOD(i, v.xy);";
constexpr const char kAt[] = "in float w; in vec2 x; in vec3 y; sample in vec4 z;";
constexpr const char kAtUse[] =
    "o = interpolateAtCentroid(w) + interpolateAtCentroid(x).xyxy + interpolateAtCentroid(y).xyzx + "
    "interpolateAtCentroid(v) + interpolateAtSample(w, 1) + interpolateAtSample(x, 1).xyxy + "
    "interpolateAtSample(y, 1).xyzx + interpolateAtSample(z, 1) + interpolateAtOffset(w, vec2(.25)) + "
    "interpolateAtOffset(x, v.xy).xyxy + interpolateAtOffset(y, v.xy).xyzx + interpolateAtOffset(z, v.xy);";

const Row kRows[] = {
    {"GL_OES_standard_derivatives", k100, F, "", "o = dFdx(v) + dFdy(v) + fwidth(v);"},
    {"GL_EXT_shader_texture_lod", k100, F, "uniform sampler2D a; uniform samplerCube b;",
     "o = texture2DLodEXT(a, v.xy, 1.) + texture2DProjLodEXT(a, v.xyz, 1.) + texture2DProjLodEXT(a, v, 1.) + "
     "textureCubeLodEXT(b, v.xyz, 1.) + texture2DGradEXT(a, v.xy, v.xy, v.xy) + "
     "texture2DProjGradEXT(a, v.xyz, v.xy, v.xy) + texture2DProjGradEXT(a, v, v.xy, v.xy) + "
     "textureCubeGradEXT(b, v.xyz, v.xyz, v.xyz);"},
    {"GL_EXT_shader_integer_mix",
     {300, 320, 310},
     F,
     "flat in ivec4 a; flat in uvec4 b;",
     "bvec4 c = bvec4(a); o = vec4(mix(a, a, c)) + vec4(mix(b, b, c)) + vec4(mix(c, c, c)) + "
     "vec4(mix(1, 2, c.x), mix(1u, 2u, c.y), mix(c.x, c.y, c.z), 0);"},
    {"GL_EXT_shader_implicit_conversions", k310, F, "flat in int a;", "o *= a; o = v + a; float f = 1u;"},
    {"GL_OES_texture_3D", k100, F, "uniform mediump sampler3D a;",
     "o = texture3D(a, v.xyz) + texture3D(a, v.xyz, 1.) + texture3DProj(a, v) + texture3DProj(a, v, 1.);"},
    {"GL_OES_texture_3D", k100, V, "uniform mediump sampler3D a;",
     "gl_Position = texture3DLod(a, vec3(1), 1.) + texture3DProjLod(a, vec4(1), 1.);"},
    {"GL_EXT_shadow_samplers", k100, F, "uniform sampler2DShadow a; uniform lowp sampler2DShadow b;",
     "o.x = shadow2DEXT(a, v.xyz) + shadow2DProjEXT(b, v);"},
    {"GL_EXT_separate_shader_objects", k100, V,
     "#define N 3\nlayout(location = N) attribute vec4 a; layout(location = 2) varying mat2 b;",
     "gl_Position = a; b = mat2(1);"},
    {"GL_EXT_separate_shader_objects", k100, F, "layout(location = 2) varying mat2 b;", "o = b[0].xyxy;"},
    {"GL_EXT_separate_shader_objects",
     {300, 320, 310},
     V,
     "layout(location = 3) in vec4 a; layout(location = 2) out vec4 b;",
     "gl_Position = b = a;"},
    {"GL_EXT_separate_shader_objects",
     {300, 300},
     V,
     "invariant out highp vec4 gl_Position;\nout float gl_PointSize;",
     "gl_Position = vec4(1); gl_PointSize = 1.;"},
    {"GL_EXT_separate_shader_objects",
     {300, 320, 310},
     F,
     "layout(location = 2) in vec4 b; out vec4 q;",
     "q = b;"},
    {"GL_EXT_texture_query_lod", k300, F, kLods, kLodUse},
    {"GL_EXT_texture_shadow_lod", k300, F,
     "uniform highp sampler2DArrayShadow a; uniform highp samplerCubeShadow b;",
     "o.x = texture(a, v, 1.) + textureLod(a, v, 1.) + textureLod(b, v, 1.) + textureOffset(a, v, ivec2(1)) "
     "+ "
     "textureOffset(a, v, ivec2(1), 1.) + textureLodOffset(a, v, 1., ivec2(1));"},
    {"GL_EXT_texture_buffer", kTo320, F, kBuffers, kBufferUse},
    {"GL_OES_texture_buffer", kTo320, F, kBuffers, kBufferUse},
    {"GL_EXT_texture_cube_map_array", kTo320, F, kCubes, kCubeUse},
    {"GL_OES_texture_cube_map_array", kTo320, F, kCubes, kCubeUse},
    {"GL_OES_texture_storage_multisample_2d_array", kTo320, F, kMs,
     "o = texelFetch(a, ivec3(0), 1) + vec4(texelFetch(b, ivec3(0), 1)) + vec4(texelFetch(c, textureSize(a), "
     "1));"},
    {"GL_OES_EGL_image_external", k100, F, "uniform samplerExternalOES a;",
     "o = texture2D(a, v.xy) + texture2DProj(a, v.xyz) + texture2DProj(a, v);"},
    {"GL_OES_EGL_image_external_essl3", k300, F, "uniform samplerExternalOES a;",
     "o = texture(a, v.xy) + texture(a, v.xy, 1.) + textureProj(a, v.xyz) + textureProj(a, v) + "
     "texelFetch(a, textureSize(a, 0), 0);"},
    {"GL_EXT_draw_buffers", {100, 100, 100}, F, "", "gl_FragData[gl_MaxDrawBuffers - 1] = v;"},
    {"GL_NV_draw_buffers", {100, 100, 100}, F, "", "gl_FragData[1] = v;"},
    {"GL_EXT_frag_depth", k100, F, "", "gl_FragDepthEXT = v.x;"},
    {"GL_EXT_draw_instanced", k100, V, "#define ID gl_InstanceIDEXT\n",
     "gl_Position = vec4(gl_InstanceIDEXT + ID);"},
    {"GL_EXT_blend_func_extended", k100, F, "",
     "gl_FragColor = v; gl_SecondaryFragColorEXT = v * float(gl_MaxDualSourceDrawBuffersEXT);"},
    {"GL_EXT_blend_func_extended", k100, F, "",
     "gl_FragData[0] = v; gl_SecondaryFragDataEXT[gl_MaxDualSourceDrawBuffersEXT - 1] = v;"},
    {"GL_EXT_blend_func_extended", k300, F,
     "layout(location = 0, index = 1) out vec4 p; layout(location = 0, index = 0) out vec4 q;",
     "p = v; q = v * float(gl_MaxDualSourceDrawBuffersEXT);"},
    {"GL_EXT_shader_framebuffer_fetch", k100, F, "", "gl_FragColor = gl_LastFragData[0];"},
    {"GL_EXT_shader_framebuffer_fetch", k300, F, "layout(location = 1) inout vec4 p;", "p *= v;"},
    {"GL_EXT_shader_framebuffer_fetch_non_coherent", k100, F,
     "layout(noncoherent) highp vec4 gl_LastFragData[gl_MaxDrawBuffers];",
     "gl_FragColor = gl_LastFragData[0];"},
    {"GL_EXT_shader_framebuffer_fetch_non_coherent", k300, F,
     "layout(noncoherent, location = 1) inout vec4 p;", "p *= v;"},
    {"GL_KHR_blend_equation_advanced",
     {300, 320, 320},
     F,
     "layout(blend_support_multiply, blend_support_hsl_luminosity) out;",
     ""},
    {"GL_KHR_blend_equation_advanced", {300, 320, 320}, F, "layout(blend_support_all_equations) out;", ""},
    {"GL_OES_sample_variables", kSamples, F, "",
     "o = vec4(gl_SampleID, gl_NumSamples, gl_MaxSamples, gl_SampleMaskIn[0]) + gl_SamplePosition.xyxy; "
     "gl_SampleMask[0] = gl_SampleMaskIn[0] & 5;"},
    {"GL_OES_sample_variables", kSamples, F, "", "gl_SampleMask[gl_SampleMask.length() - 1] = 1;"},
    {"GL_OES_shader_multisample_interpolation", kSamples, F, kAt, kAtUse},
    {"GL_OES_shader_multisample_interpolation", kSamples, V, "sample out vec4 z; flat sample out int n;",
     "z = vec4(1); n = 1;"},
    {"GL_OES_shader_image_atomic", kTo320, F, kAtomics, kAtomicUse},
    {"GL_OES_gpu_shader5", kTo320, F, "uniform sampler2D s[2]; precise vec4 p; uniform int i;",
     "p = fma(v, v, v) + texture(s[i], v.xy); o = textureGatherOffsets(s[0], v.xy, "
     "ivec2[4](ivec2(0), ivec2(1), ivec2(2), ivec2(3)), 1) + textureGatherOffset(s[1], v.xy, ivec2(i)) + p;"},
    {"GL_EXT_gpu_shader5", kTo320, F, "uniform sampler2D s[2]; precise vec4 p; uniform int i;",
     "p = fma(v, v, v) + texture(s[i], v.xy); o = textureGatherOffsets(s[0], v.xy, "
     "ivec2[4](ivec2(0), ivec2(1), ivec2(2), ivec2(3)), 1) + textureGatherOffset(s[1], v.xy, ivec2(i)) + p;"},
    {"GL_OES_shader_io_blocks", kTo320, F, "in B { vec4 a; flat int b; } c;", "o = c.a * float(c.b);"},
    {"GL_EXT_shader_io_blocks", kTo320, F, "in B { vec4 a; flat int b; } c;", "o = c.a * float(c.b);"},
    {"GL_OES_shader_io_blocks", kTo320, V, "out B { vec4 a; } c; out gl_PerVertex { vec4 gl_Position; };",
     "c.a = gl_Position = vec4(1);"},
    {"GL_EXT_shader_io_blocks", kTo320, V, "out B { vec4 a; } c; out gl_PerVertex { vec4 gl_Position; };",
     "c.a = gl_Position = vec4(1);"},
    {"GL_EXT_geometry_shader", kTo320, G, kGeometry, kGeometryUse},
    {"GL_OES_geometry_shader", kTo320, G, kGeometry, kGeometryUse},
    {"GL_EXT_geometry_shader", kTo320, F, "", kGeometryConstants},
    {"GL_OES_geometry_shader", kTo320, F, "", kGeometryConstants},
    {"GL_EXT_geometry_point_size", k310, G, "layout(points) in; layout(points, max_vertices = 1) out;",
     "gl_PointSize = gl_in[0].gl_PointSize; EmitVertex();"},
    {"GL_OES_geometry_point_size", k310, G, "layout(points) in; layout(points, max_vertices = 1) out;",
     "gl_PointSize = gl_in[0].gl_PointSize; EmitVertex();"},
    {"GL_EXT_tessellation_shader", kTo320, C, kControl, kControlUse},
    {"GL_OES_tessellation_shader", kTo320, C, kControl, kControlUse},
    {"GL_EXT_tessellation_shader", kTo320, E, kEvaluation, kEvaluationUse},
    {"GL_OES_tessellation_shader", kTo320, E, kEvaluation, kEvaluationUse},
    {"GL_EXT_tessellation_shader", kTo320, F, "", kTessConstants},
    {"GL_OES_tessellation_shader", kTo320, F, "", kTessConstants},
    {"GL_EXT_tessellation_point_size", k310, C, "layout(vertices = 1) out;",
     "gl_out[gl_InvocationID].gl_PointSize = gl_in[0].gl_PointSize;"},
    {"GL_OES_tessellation_point_size", k310, C, "layout(vertices = 1) out;",
     "gl_out[gl_InvocationID].gl_PointSize = gl_in[0].gl_PointSize;"},
    {"GL_EXT_tessellation_point_size", k310, E, "layout(isolines) in;",
     "gl_PointSize = gl_in[0].gl_PointSize;"},
    {"GL_OES_tessellation_point_size", k310, E, "layout(isolines) in;",
     "gl_PointSize = gl_in[0].gl_PointSize;"},
    {"GL_EXT_primitive_bounding_box", k310, C, "layout(vertices = 1) out;",
     "gl_BoundingBoxEXT[0] = vec4(1);"},
    {"GL_OES_primitive_bounding_box", k310, C, "layout(vertices = 1) out;",
     "gl_BoundingBoxOES[1] = vec4(1);"},
    {"GL_OES_viewport_array", k310, G,
     "layout(points) in; layout(points, max_vertices = 1) out;\n#define N gl_MaxViewports\n",
     "gl_ViewportIndex = gl_MaxViewports - N; EmitVertex();"},
    {"GL_OES_viewport_array", k310, F, "", "o = vec4(gl_ViewportIndex, gl_MaxViewports, 0, 0);"},
    {"GL_EXT_clip_cull_distance", k300, V,
     "out highp float gl_ClipDistance[2]; out highp float gl_CullDistance[1];",
     "gl_ClipDistance[1] = gl_CullDistance[0] = 1.; gl_Position = vec4(gl_MaxClipDistances, "
     "gl_MaxCullDistances, "
     "gl_MaxCombinedClipAndCullDistances, 1);"},
    {"GL_EXT_clip_cull_distance", k300, F, "", "o = vec4(gl_ClipDistance[1] + gl_CullDistance[0]);"},
    {"GL_OVR_multiview", k300, V, "layout(num_views = 2) in;",
     "uint i = gl_ViewID_OVR; gl_Position = vec4(i);"},
    {"GL_OVR_multiview", k300, F, "", "uint i = gl_ViewID_OVR; o = vec4(i);"},
    {"GL_OVR_multiview2", k300, V, "layout(num_views = 6) in; out vec4 u;",
     "uint i = gl_ViewID_OVR; gl_Position = vec4(1); u = vec4(i);"},
    {"GL_OVR_multiview2", k300, F, "", "uint i = gl_ViewID_OVR; o = vec4(i);"},
    {"GL_ANDROID_extension_pack_es31a", kTo320, F, kAt, kAtUse},
    {"GL_ANDROID_extension_pack_es31a", kTo320, F, kAtomics, kAtomicUse},
    {"GL_ANDROID_extension_pack_es31a", kTo320, F, "", "o = fma(v, v, vec4(gl_SampleID));"},
    {"GL_ANDROID_extension_pack_es31a", kTo320, F, kCubes, kCubeUse},
    {"GL_ANDROID_extension_pack_es31a", kTo320, F, kBuffers, kBufferUse},
    {"GL_ANDROID_extension_pack_es31a", kTo320, C, kControl, kControlUse},
    {"GL_ANDROID_extension_pack_es31a", kTo320, G, kGeometry, kGeometryUse},
};

constexpr int kVersions[] = {100, 300, 310, 320};

/// Other extensions that this one requires.
const char* also(const Row& r, int version) {
    const std::string_view name = r.extension;
    if (version >= 320) return "";
    if (name == "GL_EXT_geometry_point_size" || (name == "GL_OES_viewport_array" && r.stage == G))
        return "#extension GL_EXT_geometry_shader : require\n";
    if (name == "GL_OES_geometry_point_size") return "#extension GL_OES_geometry_shader : require\n";
    if (name == "GL_EXT_tessellation_point_size" || name == "GL_EXT_primitive_bounding_box")
        return "#extension GL_EXT_tessellation_shader : require\n";
    if (name == "GL_OES_tessellation_point_size" || name == "GL_OES_primitive_bounding_box")
        return "#extension GL_OES_tessellation_shader : require\n";
    return "";
}

std::string text_of(const Row& r, int version, const std::string& head) {
    std::string s = version == 100 ? "" : "#version " + std::to_string(version) + " es\n";
    s += head + also(r, version);
    if (r.stage == F) s += "precision highp float; precision highp int;\n";
    const bool own_output =
        std::string_view(r.declarations).find("layout(location") != std::string_view::npos ||
        std::string_view(r.declarations).find("inout") != std::string_view::npos;
    if (r.stage == F && version == 100) s += "varying vec4 v;\n#define o gl_FragColor\n";
    if (r.stage == F && version >= 300) s += own_output ? "in vec4 v;\n" : "in vec4 v; out vec4 o;\n";
    return s + r.declarations + "\nvoid main() {\n" + r.statement + "\n}\n";
}

CompileResult compile_row(const Row& r, int version, const std::string& head) {
    CompileOptions options = test::options(r.stage, version);
    options.extensions = st::kShaderExtensionNames;
    return compile(text_of(r, version, head), options);
}

}  // namespace

TEST_CASE("extensions: all of their names, in every version that their specifications allow") {
    for (const Row& r : kRows)
        for (const int version : kVersions) {
            if (version < r.versions.first || version > r.versions.last) continue;
            const std::string name = r.extension;
            const std::string head = "#extension " + name + " : require\n#ifndef " + name +
                                     "\n#error no macro\n#endif\n" + "#if " + name +
                                     " != 1\n#error not 1\n#endif\n";
            const CompileResult with = compile_row(r, version, head);
            CAPTURE(name);
            CAPTURE(version);
            const std::string statement = r.statement;
            CAPTURE(statement);
            CHECK_MESSAGE(with.shader != nullptr, with.log);
            if (with.shader) CHECK(ir::validate(*with.shader->ir) == "");
            const bool without = compile_row(r, version, "").shader != nullptr;
            CHECK(without == (version >= r.versions.core));  // the version's own names need no extension
        }
}

TEST_CASE("extensions: the table has all of them") {
    std::set<std::string_view> rows;
    for (const Row& r : kRows)
        rows.insert(r.extension);
    for (const std::string_view name : st::kShaderExtensionNames) {
        CAPTURE(name);
        CHECK(rows.contains(name));
    }
}

TEST_CASE("extensions: shaders may use the function names of extensions that are not enabled") {
    struct Name {
        const char *name, *extension;
        int core;
    };
    for (const Name& n : {Name{"fma", "GL_EXT_gpu_shader5", 320},
                          {"textureQueryLOD", "GL_EXT_texture_query_lod", 1000},
                          {"interpolateAtSample", "GL_OES_shader_multisample_interpolation", 320},
                          {"imageAtomicAdd", "GL_OES_shader_image_atomic", 320}})
        for (const int version : {300, 310, 320}) {
            CompileOptions options = test::options(F, version);
            options.extensions = st::kShaderExtensionNames;
            const std::string
                name = n.name,
                head = "#version " + std::to_string(version) + " es\n",
                rest = "precision highp float; in vec4 v; out vec4 o;\n#define CALL(x) " + name +
                       "(x, x, x)\nvec4 " + name +
                       "(vec4 a, vec4 b, vec4 c) { return a * b + c; }\nvoid main() { o = CALL(v) + " + name +
                       "(v, v, v); }\n";
            CAPTURE(name);
            CAPTURE(version);
            const CompileResult own = compile(head + rest, options);
            if (version < n.core) CHECK_MESSAGE(own.shader != nullptr, own.log);
        }
}
