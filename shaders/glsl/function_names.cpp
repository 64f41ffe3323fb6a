// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/function_names.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace terrazzo::shaders::glsl {

namespace {

struct ExtensionFunction {
    std::string_view name;
    std::string_view extensions[3];  // each of them provides it
    int core = 0;                    // the version that has it without an extension; 0: none
    /// glslang knows the extension and reports that a call needs it.
    bool known = true;
};
constexpr std::string_view kPack = "GL_ANDROID_extension_pack_es31a", kGpu5 = "GL_EXT_gpu_shader5",
                           kGpu5Oes = "GL_OES_gpu_shader5", kAtomic = "GL_OES_shader_image_atomic",
                           kInterpolation = "GL_OES_shader_multisample_interpolation";
/// Sorted by name.
constexpr ExtensionFunction kFunctions[] = {
    {"fma", {kGpu5, kGpu5Oes, kPack}, 320},
    {"imageAtomicAdd", {kAtomic, kPack}, 320},
    {"imageAtomicAnd", {kAtomic, kPack}, 320},
    {"imageAtomicCompSwap", {kAtomic, kPack}, 320},
    {"imageAtomicExchange", {kAtomic, kPack}, 320},
    {"imageAtomicMax", {kAtomic, kPack}, 320},
    {"imageAtomicMin", {kAtomic, kPack}, 320},
    {"imageAtomicOr", {kAtomic, kPack}, 320},
    {"imageAtomicXor", {kAtomic, kPack}, 320},
    {"interpolateAtCentroid", {kInterpolation, kPack}, 320},
    {"interpolateAtOffset", {kInterpolation, kPack}, 320},
    {"interpolateAtSample", {kInterpolation, kPack}, 320},
    {"textureGatherOffsets", {kGpu5, kGpu5Oes, kPack}, 320},
    {"textureQueryLOD", {"GL_EXT_texture_query_lod"}, 0, false},
};
static_assert(std::is_sorted(std::begin(kFunctions), std::end(kFunctions),
                             [](auto& a, auto& b) { return a.name < b.name; }));
static_assert(std::size(kFunctions) <= 32);

/// The bit n: the name of a function begins with the letter number n.
constexpr uint32_t kFirstLetters = [] {
    uint32_t letters = 0;
    for (const ExtensionFunction& f : kFunctions)
        letters |= 1u << (f.name[0] & 31);
    return letters;
}();

int find(std::string_view name) {
    if (!(kFirstLetters >> (name[0] & 31) & 1)) return -1;
    const auto it = std::lower_bound(std::begin(kFunctions), std::end(kFunctions), name,
                                     [](auto& f, std::string_view n) { return f.name < n; });
    return it != std::end(kFunctions) && it->name == name ? int(it - std::begin(kFunctions)) : -1;
}

}  // namespace

/// At the top level, a name between a type and a bracket is the name of a declared function: calls follow
/// operators.
void FunctionNames::token(const Token& t, unsigned nesting) {
    if (candidate_ >= 0 && t.text == "(") declared_ |= 1u << candidate_;
    candidate_ = -1;
    const int f = t.name ? find(t.text) : -1;
    if (f >= 0) {
        uses_.push_back({t.text, unsigned(f)});
        if (nesting == 0 && after_type_) candidate_ = f;
    }
    after_type_ = t.name || t.text == "]";
}

void FunctionNames::finish(int version) {
    if (version < 300) return;
    uint32_t listed = 0;
    for (const Use& u : uses_) {
        const ExtensionFunction& f = kFunctions[u.function];
        const uint32_t bit = 1u << u.function;
        if (f.core && version >= f.core) continue;
        if (f.known && !(declared_ & bit)) continue;
        if (std::any_of(enabled_.begin(), enabled_.end(), [&](std::string_view on) {
                return std::find(std::begin(f.extensions), std::end(f.extensions), on) !=
                       std::end(f.extensions);
            }))
            continue;
        const std::string own = "TZf" + std::to_string(u.function) + "_";
        edits_.replace(u.text, own);
        if (!(listed & bit)) out_.renamed.emplace_back(own, f.name);
        listed |= bit;
    }
}

}  // namespace terrazzo::shaders::glsl
