// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/link/check.h"

#include <algorithm>
#include <unordered_set>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

using ir::Stage;

std::string limit_text(const std::string& what, uint64_t n, uint64_t limit) {
    return what + ": " + std::to_string(n) + ", the limit is " + std::to_string(limit);
}

/// As a GLSL text could name it: "lights[1].color", "weights[0]".
bool is_name(std::string_view s) {
    const auto good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '.' || c == '[' || c == ']';
    };
    return !s.empty() && std::all_of(s.begin(), s.end(), good);
}

bool is_plain(const GlslType& t) {
    return t.dim == ir::TexDim::D2 && !t.arrayed && !t.shadow && !t.external && t.sampled == BaseType::Float;
}

bool is_type(const GlslType& t) {
    switch (t.base) {
        case BaseType::Float:
            if (!is_plain(t) || t.rows < 1 || t.rows > 4 || t.columns > 4) return false;
            return t.columns == 1 || (t.columns > 1 && t.rows > 1);
        case BaseType::Int:
        case BaseType::Uint:
        case BaseType::Bool:
            return is_plain(t) && t.columns == 1 && t.rows >= 1 && t.rows <= 4;
        case BaseType::Sampler:
            if (t.columns != 1 || t.rows != 1) return false;
            if (t.external && (t.dim != ir::TexDim::D2 || t.arrayed || t.shadow)) return false;
            return t.sampled == BaseType::Float || t.sampled == BaseType::Int || t.sampled == BaseType::Uint;
        case BaseType::Image:
            return false;
    }
    return false;
}

/// Marks ranges as taken, each once.
class Ranges {
  public:
    explicit Ranges(uint64_t size) : size_(size) {}
    /// False where it is out of range or overlaps another.
    bool take(uint64_t first, uint64_t count) {
        if (first > size_ || count > size_ - first) return false;
        if (first + count > taken_.size()) taken_.resize(first + count);
        const auto begin = taken_.begin() + ptrdiff_t(first), end = begin + ptrdiff_t(count);
        if (std::find(begin, end, true) != end) return false;
        std::fill(begin, end, true);
        return true;
    }

  private:
    uint64_t size_;
    std::vector<bool> taken_;  // as far as anything was taken: most programs use little of the range
};

class Checker {
  public:
    Checker(const LinkedProgram& p, const Limits& l) : p_(p), limits_(l) {}
    std::string run();

  private:
    std::string sizes();
    std::string uniforms();
    std::string uniform(const UniformInfo& u, uint32_t index);
    std::string places(const UniformInfo& u, uint32_t index, uint64_t size);
    std::string samplers();
    std::string attributes();

    const LinkedProgram& p_;
    const Limits& limits_;
    std::unordered_set<std::string_view> names_;
    std::vector<Ranges> blocks_, slots_;  // by stage
    Ranges locations_{kMaxUniformLocations};
    uint64_t next_storage_ = 0;
};

std::string Checker::sizes() {
    size_t all = 0;
    blocks_.reserve(ir::kStageCount);
    slots_.reserve(ir::kStageCount);
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        const std::string name = stage_name(Stage(s));
        const size_t samplers = p_.samplers[s].size();
        const auto units =
            size_t(Stage(s) == Stage::Vertex ? limits_.vertex_texture_units : limits_.fragment_texture_units);
        if (p_.uniform_dw[s] > kMaxDefaultBlock_dw)
            return limit_text("dwords of uniforms in the " + name + " stage", p_.uniform_dw[s],
                              kMaxDefaultBlock_dw);
        if (samplers > units) return limit_text("samplers in the " + name + " stage", samplers, units);
        all += samplers;
        blocks_.emplace_back(p_.uniform_dw[s]);
        slots_.emplace_back(samplers);
    }
    const auto combined = size_t(limits_.combined_texture_units);
    if (all > combined) return limit_text("samplers of all stages", all, combined);
    const auto vectors = std::min(uint32_t(limits_.varying_vectors), ir::kMaxVaryings);
    if (p_.varying_slots > vectors) return limit_text("varying vectors", p_.varying_slots, vectors);
    return {};
}

/// Where the uniform lies in each stage. In at least one, each place its own.
std::string Checker::places(const UniformInfo& u, uint32_t index, uint64_t size) {
    const bool sampler = u.type.base == BaseType::Sampler;
    bool anywhere = false;
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        const int32_t at = sampler ? u.sampler_slot[s] : u.offset_dw[s];
        if ((sampler ? u.offset_dw[s] : u.sampler_slot[s]) != -1 || at < -1)
            return "has a place that uniforms of its type do not have";
        if (at < 0) continue;
        anywhere = true;
        if (!(sampler ? slots_[s] : blocks_[s]).take(uint64_t(at), size))
            return std::string("lies beyond the ") + stage_name(Stage(s)) +
                   " stage's uniforms, or on another";
        for (uint32_t e = 0; sampler && e < u.array_size; ++e) {
            const SamplerSlot& slot = p_.samplers[s][size_t(at) + e];
            if (slot.uniform != index || slot.element != e || !(slot.type == u.type))
                return "is not what its sampler slots say";
        }
    }
    return anywhere ? "" : "is in no stage";
}

std::string Checker::uniform(const UniformInfo& u, uint32_t index) {
    if (!is_name(u.name) || !names_.insert(u.name).second) return "has no name of its own";
    if (!is_type(u.type)) return "has a type that uniforms do not have";
    if (u.array_size == 0 || (u.array_size > 1 && !u.is_array)) return "has a wrong number of elements";
    if (u.is_array != u.name.ends_with("[0]")) return "is an array, or is called like one";
    const uint64_t size = uint64_t(u.array_size) * u.type.components();
    if (u.storage_dw != next_storage_ || size > p_.storage_dw - next_storage_)
        return "does not follow the one before it in the program's values";
    next_storage_ += size;
    if (u.name.compare(0, 3, "gl_") == 0) {
        // The state tracker writes one float to each of these.
        const bool known =
            u.name == "gl_DepthRange.near" || u.name == "gl_DepthRange.far" || u.name == "gl_DepthRange.diff";
        if (!known || u.location != -1 || u.type.base != BaseType::Float || size != 1 || u.is_array)
            return "is no built-in uniform";
    } else if (u.location < 0 || !locations_.take(uint64_t(u.location), u.array_size)) {
        return "has no locations of its own below " + std::to_string(kMaxUniformLocations);
    }
    return places(u, index, size);
}

std::string Checker::uniforms() {
    for (uint32_t n = 0; n < p_.uniforms.size(); ++n)
        if (const std::string rule = uniform(p_.uniforms[n], n); !rule.empty())
            return "uniform " + std::to_string(n) + " " + rule;
    return next_storage_ == p_.storage_dw ? "" : "the program's values are more than its uniforms'";
}

/// Slots that no uniform has taken.
std::string Checker::samplers() {
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        for (size_t n = 0; n < p_.samplers[s].size(); ++n)
            if (slots_[s].take(n, 1)) return "a sampler slot belongs to no uniform";
    return {};
}

std::string Checker::attributes() {
    std::unordered_set<std::string_view> names;
    const auto limit = uint64_t(limits_.vertex_attribs);
    for (const AttributeInfo& a : p_.attributes) {
        if (!is_name(a.name) || !names.insert(a.name).second) return "an attribute has no name of its own";
        const bool number =
            a.type.base == BaseType::Float || a.type.base == BaseType::Int || a.type.base == BaseType::Uint;
        if (!number || !is_type(a.type) || a.array_size == 0)
            return "an attribute has a type that attributes do not have";
        if (a.location < 0) {
            const bool known = a.name == "gl_VertexID" || a.name == "gl_InstanceID";
            if (!known || a.location != -1 || a.type.components() != 1 || a.array_size != 1)
                return "an attribute has no location";
            continue;
        }
        // Attributes may share locations (GLES 2.0 section 2.10.4).
        const uint64_t end = uint64_t(a.location) + uint64_t(a.type.columns) * a.array_size;
        if (end > limit) return limit_text("locations up to those of attribute " + a.name, end, limit);
    }
    return {};
}

std::string Checker::run() {
    for (const auto check : {&Checker::sizes, &Checker::uniforms, &Checker::samplers, &Checker::attributes})
        if (std::string rule = (this->*check)(); !rule.empty()) return rule;
    return {};
}

uint64_t attribute_mask(const LinkedProgram& p) {
    uint64_t mask = 0;
    for (const AttributeInfo& a : p.attributes)
        if (a.location >= 0) mask |= ((uint64_t(1) << (a.type.columns * a.array_size)) - 1) << a.location;
    return mask;
}

}  // namespace

std::string check_tables(const LinkedProgram& p, const Limits& limits) {
    return Checker(p, limits).run();
}

ir::StageInterface interface_of(const LinkedProgram& p, Stage stage) {
    ir::StageInterface out;
    out.uniform_dw = p.uniform_dw[unsigned(stage)];
    for (const SamplerSlot& s : p.samplers[unsigned(stage)]) {
        const GlslType& t = s.type;
        out.samplers.push_back(
            {t.dim, t.arrayed, t.shadow, t.sampled == BaseType::Float ? ir::Type::F32 : ir::Type::I32, 1});
    }
    // An array of structures has a uniform for each element: what is alike side by side counts as one array.
    const auto alike = [](const auto& a, const auto& b) {
        return a.dim == b.dim && a.arrayed == b.arrayed && a.shadow == b.shadow && a.texel == b.texel;
    };
    for (size_t n = out.samplers.size(); n-- > 1;)
        if (alike(out.samplers[n - 1], out.samplers[n]))
            out.samplers[n - 1].array_left = out.samplers[n].array_left + 1;
    const uint64_t varyings = ir::varying_mask(p.varying_slots);
    out.inputs = stage == Stage::Vertex ? attribute_mask(p) : varyings;
    out.outputs = ir::fixed_outputs(stage) | (stage == Stage::Vertex ? varyings : 0);
    return out;
}

}  // namespace terrazzo::shaders
