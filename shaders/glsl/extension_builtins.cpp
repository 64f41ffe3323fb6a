// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/extension_builtins.h"

#include <glslang/MachineIndependent/Versions.h>

#include <string>
#include <utility>

namespace terrazzo::shaders::glsl {

namespace {

/// A constant that extensions add to a version for which glslang does not declare it.
struct ExtensionConstant {
    const char* name;
    int TBuiltInResource::*value;
    int version;
    int extension_count;
    const char* const* extensions;
};
const char* const kTessellation[] = {glslang::E_GL_EXT_tessellation_shader,
                                     glslang::E_GL_OES_tessellation_shader};
const char* const kSamples[] = {glslang::E_GL_OES_sample_variables};
constexpr ExtensionConstant kExtensionConstants[] = {
    {"gl_MaxSamples", &TBuiltInResource::maxSamples, 300, 1, kSamples},
    {"gl_MaxTessControlImageUniforms", &TBuiltInResource::maxTessControlImageUniforms, 310, 2, kTessellation},
    {"gl_MaxTessControlAtomicCounters", &TBuiltInResource::maxTessControlAtomicCounters, 310, 2,
     kTessellation},
    {"gl_MaxTessControlAtomicCounterBuffers", &TBuiltInResource::maxTessControlAtomicCounterBuffers, 310, 2,
     kTessellation},
    {"gl_MaxTessEvaluationImageUniforms", &TBuiltInResource::maxTessEvaluationImageUniforms, 310, 2,
     kTessellation},
    {"gl_MaxTessEvaluationAtomicCounters", &TBuiltInResource::maxTessEvaluationAtomicCounters, 310, 2,
     kTessellation},
    {"gl_MaxTessEvaluationAtomicCounterBuffers", &TBuiltInResource::maxTessEvaluationAtomicCounterBuffers,
     310, 2, kTessellation}};

}  // namespace

void add_samples_300(glslang::TString& fragment) {
    fragment.append(
        "flat in lowp int gl_SampleID; in mediump vec2 gl_SamplePosition;"
        "flat in highp int gl_SampleMaskIn[1]; out highp int gl_SampleMask[1];"
        "uniform lowp int gl_NumSamples;");
    for (const char* const type : {"float", "vec2", "vec3", "vec4"})
        for (const auto& [function, place] : {std::pair{"interpolateAtCentroid", ""},
                                              {"interpolateAtSample", ",int"},
                                              {"interpolateAtOffset", ",vec2"}})
            fragment.append((std::string(type) + " " + function + "(" + type + place + ");").c_str());
}

void identify_samples_300(glslang::TSymbolTable& symbols) {
    using namespace glslang;
    static constexpr std::pair<const char*, TBuiltInVariable> kVariables[] = {
        {"gl_SampleID", EbvSampleId},
        {"gl_SamplePosition", EbvSamplePosition},
        {"gl_SampleMaskIn", EbvSampleMask},
        {"gl_SampleMask", EbvSampleMask},
        {"gl_NumSamples", EbvNone}};  // the walker recognises its name
    for (const auto& [name, meaning] : kVariables) {
        if (TSymbol* const symbol = symbols.find(name))
            symbol->getWritableType().getQualifier().builtIn = meaning;
        symbols.setVariableExtensions(name, 1, &E_GL_OES_sample_variables);
    }
    for (const auto& [name, op] : {std::pair{"interpolateAtCentroid", EOpInterpolateAtCentroid},
                                   {"interpolateAtSample", EOpInterpolateAtSample},
                                   {"interpolateAtOffset", EOpInterpolateAtOffset}}) {
        symbols.relateToOperator(name, op);
        symbols.setFunctionExtensions(name, 1, &E_GL_OES_shader_multisample_interpolation);
    }
}

void add_extension_constants(glslang::TString& common, int version, const TBuiltInResource& resources) {
    for (const ExtensionConstant& c : kExtensionConstants)
        if (version == c.version)
            common.append(("const mediump int " + std::string(c.name) + " = " +
                           std::to_string(resources.*c.value) + ";")
                              .c_str());
}

void identify_extension_constants(glslang::TSymbolTable& symbols, int version) {
    for (const ExtensionConstant& c : kExtensionConstants)
        if (version == c.version) symbols.setVariableExtensions(c.name, c.extension_count, c.extensions);
}

}  // namespace terrazzo::shaders::glsl
