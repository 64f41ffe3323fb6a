// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules for gl_ClipDistance and gl_CullDistance (EXT_clip_cull_distance). In glslang they are arrays of
// floats with names of ours (distance_names.h): variables, and members of gl_PerVertex.
#include <algorithm>
#include <bit>
#include <string_view>

#include "shaders/glsl/source.h"
#include "shaders/glsl/walker.h"
#include "shaders/ir/limits.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

bool Walker::is_distance(TIntermSymbol* s) {
    const std::string_view name = s->getName().c_str();
    return std::any_of(std::begin(kDistanceNames), std::end(kDistanceNames), [&](const DistanceNames& n) {
        return name == n.sized || name == n.implicit || name == n.member;
    });
}

/// GL's name.
const char* Walker::distance_name(TIntermSymbol* s) {
    return std::string_view(s->getName().c_str()).ends_with("ClipDistance") ? "gl_ClipDistance"
                                                                            : "gl_CullDistance";
}

/// If the preamble declared the variable, its size in the last line of `list` follows from the constant
/// indices.
void Walker::size_distances(TIntermSymbol* s, std::vector<InterfaceVar>& list) {
    const std::string_view own = s->getName().c_str();
    const bool implicit = std::any_of(std::begin(kDistanceNames), std::end(kDistanceNames),
                                      [&](const DistanceNames& n) { return own == n.implicit; });
    if (!implicit || failed_ || list.empty()) return;
    const SymbolUse& use = scan_.use(s->getId());
    if (use.whole || use.array_indexed)
        return fail(s->getLoc().line, "'" + std::string(distance_name(s)) +
                                          "' : must be declared with a size before it is used as a whole or "
                                          "indexed with what is no constant");
    list.back().array_size = uint32_t(std::bit_width(use.elements));
    list.back().implicit_size = true;
    if (!use.elements) list.pop_back();
}

/// False: the text declares it as something else, which has been reported.
bool Walker::check_distance(TIntermSymbol* s) {
    const TQualifier& q = s->getQualifier();
    const TType& t = s->getType();
    const std::string name = distance_name(s);
    const int line = s->getLoc().line;
    const bool fragment = sh_.stage == ir::Stage::Fragment;
    const bool vertex = sh_.stage == ir::Stage::Vertex || sh_.stage == ir::Stage::TessEval ||
                        sh_.stage == ir::Stage::Geometry;
    const auto wrong = [&](const std::string& rule) {
        fail(line, "'" + name + "' : " + rule);
        return false;
    };
    if (!q.isPipeInput() && !q.isPipeOutput()) return wrong("names that begin with gl_ are reserved");
    if (q.isPipeInput() ? !fragment : !vertex)
        return wrong(std::string("the stage has no such ") +
                     (fragment || q.isPipeOutput() ? "output" : "input"));
    if (t.getBasicType() != EbtFloat || t.isVector() || t.isMatrix() || !t.isArray() ||
        t.getArraySizes()->getNumDims() != 1)
        return wrong("is an array of floats");
    if (q.flat || q.centroid || q.sample || q.patch || q.hasLocation())
        return wrong("accepts no layout and no interpolation qualifier");
    InterfaceVar* known = nullptr;
    for (InterfaceVar& v : fragment ? out_.inputs : out_.outputs)
        if (v.name == name) known = &v;
    if (known && bindings_[s->getId()].kind == Binding::Kind::None)
        return wrong("must be declared with its size before it is used");
    return true;
}

/// Each of the two arrays, and both together, may have at most kMaxDistances elements.
void Walker::check_distance_sizes() {
    for (const auto* const list : {&out_.inputs, &out_.outputs}) {
        uint64_t all = 0;
        for (const InterfaceVar& v : *list) {
            const bool clip = v.name == kDistanceNames[0].name || v.name == kDistanceNames[0].member,
                       cull = v.name == kDistanceNames[1].name || v.name == kDistanceNames[1].member;
            if (!v.var || (!clip && !cull)) continue;
            all += v.array_size;
            if (v.array_size > ir::kMaxDistances)
                return fail(int(v.line), std::string(clip ? "'gl_ClipDistance'" : "'gl_CullDistance'") +
                                             " : has " + std::to_string(v.array_size) +
                                             " elements; the limit is " + std::to_string(ir::kMaxDistances));
            if (all > ir::kMaxDistances)
                return fail(int(v.line), "'gl_ClipDistance' and 'gl_CullDistance' have " +
                                             std::to_string(all) + " elements together; the limit is " +
                                             std::to_string(ir::kMaxDistances));
        }
    }
}

}  // namespace terrazzo::shaders::glsl
