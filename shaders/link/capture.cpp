// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Captured outputs of the vertex stage (transform feedback, OpenGL ES 3.0 sections 2.12.8 and 2.15): their
// types, and the place of their components after varyings were packed.
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

using ir::Op;

/// "v[3]" -> "v" and 3; false: the name has no such end.
bool split_element(std::string_view name, std::string_view* base, uint32_t* element) {
    const size_t bracket = name.rfind('[');
    if (bracket == name.npos || name.back() != ']') return false;
    const std::string_view digits = name.substr(bracket + 1, name.size() - bracket - 2);
    const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), *element);
    *base = name.substr(0, bracket);
    return !digits.empty() && r.ec == std::errc() && r.ptr == digits.data() + digits.size();
}

/// Built-in outputs may be captured even if the shader does not use them.
std::optional<GlslType> builtin_type(std::string_view name) {
    if (name == "gl_Position") return GlslType{.rows = 4};
    if (name == "gl_PointSize") return GlslType{};
    return std::nullopt;
}

}  // namespace

bool Linker::resolve_capture(const std::string& name, Capture* c) {
    c->info.name = name;
    std::string_view base;
    uint32_t element = 0;
    const bool has_element = split_element(name, &base, &element);
    for (const InterfaceVar& o : source(*last_vertex_stage())->outputs) {
        const bool whole = o.name == name;
        if (!whole && !(has_element && o.name == base && element < o.array_size)) continue;
        c->out = &o;
        c->info.type = o.type;
        c->info.array_size = whole ? std::max(1u, o.array_size) : 1;
        c->first = whole ? 0 : element * o.type.components();
        return true;
    }
    const auto type = builtin_type(name);
    if (type) c->info.type = *type;
    return type.has_value();
}

/// Resolves and checks the names to capture.
void Linker::find_captures() {
    if (options_.capture.empty()) return;
    if (!last_vertex_stage()) return error("outputs of a vertex shader are captured, and there is none");
    const std::string stage = stage_name(*last_vertex_stage());
    const Limits& limits = options_.limits;
    const size_t most =
        size_t(options_.capture_separate ? limits.separate_captures : limits.interleaved_components);
    if (options_.capture.size() > most)
        return error("too many outputs are captured: " + std::to_string(options_.capture.size()) + ", " +
                     std::to_string(most) + " are supported");
    std::set<std::pair<std::string_view, uint32_t>> taken;
    uint64_t all = 0;
    for (const std::string& name : options_.capture) {
        Capture c;
        if (!resolve_capture(name, &c))
            return error("'" + name + "' is captured, but is no output of the " + stage + " shader");
        const uint64_t count = uint64_t(c.info.type.components()) * c.info.array_size;
        all += count;
        const uint64_t limit =
            uint64_t(options_.capture_separate ? limits.separate_components : limits.interleaved_components);
        if ((options_.capture_separate ? count : all) > limit)
            return error("too many components are captured: up to '" + name + "' they are " +
                         std::to_string(options_.capture_separate ? count : all) + ", " +
                         std::to_string(limit) + " are supported");
        const std::string_view variable = c.out ? std::string_view(c.out->name) : std::string_view(name);
        for (uint32_t n = 0; n < count; ++n)
            if (!taken.emplace(variable, c.first + n).second)
                return error("'" + name + "' is captured more than once");
        captures_.push_back(std::move(c));
    }
}

/// The places of captured components before varyings are packed. Components that the shader never writes are
/// 0 and have no place.
void Linker::place_captures(const Targets& targets) {
    std::set<std::pair<uint32_t, uint32_t>> stored;
    const Stage stage = *last_vertex_stage();
    ir::Shader& vs = shader(stage);
    std::vector<ir::Instr*> emits;  // geometry stage: a vertex' components follow one of these
    each_instruction(vs.body, [&](ir::Instr* i) {
        if (i->op != Op::StoreOutput) return;
        stored.emplace(i->u.io.slot, i->u.io.component);
        if (i->u.io.slot == unsigned(ir::EmitSlot::EmitVertex)) emits.push_back(i);
    });
    for (const Capture& c : captures_) {
        Target t{
            unsigned(c.info.name == "gl_Position" ? ir::VaryingSlot::Position : ir::VaryingSlot::PointSize),
            0, 4};
        const bool distance = c.out && (c.out->name == "gl_ClipDistance" || c.out->name == "gl_CullDistance");
        if (c.out && (distance || c.out->name.compare(0, 3, "gl_") != 0)) t = targets.at(var(stage, *c.out));
        for (uint32_t n = 0; n < c.info.type.components() * c.info.array_size; ++n) {
            const uint32_t at = c.first + n + (c.out ? c.out->first_component : 0);
            const ir::VaryingPlace p{t.slot_of(at), t.column_of(at)};
            captured_.push_back(p);
            if (!stored.emplace(p.slot, p.component).second) continue;
            const ir::Type type = c.info.type.base == BaseType::Float ? ir::Type::F32 : ir::Type::I32;
            const auto store_zero = [&](ir::Instr* before) {
                ir::Builder b(vs);
                if (before) b.set_before(before);
                b.store_output(p.slot, p.component, b.constant(type, 0));
            };
            if (stage != Stage::Geometry) store_zero(vs.body->first);
            for (ir::Instr* const emit : emits)
                store_zero(emit->next);
        }
    }
}

/// After packing: adjacent components are merged.
void Linker::layout_captures() {
    ir::StreamOutputLayout& layout = program_->stream_output;
    program_->capture_separate = options_.capture_separate && !captures_.empty();
    size_t next = 0;
    for (size_t k = 0; k < captures_.size(); ++k) {
        const Capture& c = captures_[k];
        const auto buffer = uint8_t(options_.capture_separate ? k : 0);
        for (uint32_t n = 0; n < c.info.type.components() * c.info.array_size; ++n) {
            const ir::VaryingPlace p = captured_[next++];
            const uint32_t at = layout.stride_dw[buffer]++;
            if (!layout.outputs.empty()) {
                ir::StreamOutputLayout::Output& last = layout.outputs.back();
                if (last.buffer == buffer && last.slot == p.slot &&
                    last.component + last.count == p.component && last.offset_dw + last.count == at) {
                    ++last.count;
                    continue;
                }
            }
            layout.outputs.push_back({uint8_t(p.slot), uint8_t(p.component), 1, buffer, at});
        }
        program_->captures.push_back(c.info);
    }
}

}  // namespace terrazzo::shaders
