// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/link/check.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "shaders/ir/limits.h"
#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

using ir::Stage;

std::string limit_text(const std::string& what, uint64_t n, uint64_t limit) {
    return what + ": " + std::to_string(n) + ", the limit is " + std::to_string(limit);
}

/// Whether a GLSL text could have this name: "lights[1].color", "weights[0]".
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
            if (t.columns != 1 || t.rows != 1 || t.external || t.shadow || t.dim == ir::TexDim::D2MS)
                return false;
            return t.sampled == BaseType::Float || t.sampled == BaseType::Int || t.sampled == BaseType::Uint;
        case BaseType::AtomicCounter:
            return is_plain(t) && t.columns == 1 && t.rows == 1;
    }
    return false;
}

bool is_opaque(const GlslType& t) {
    return t.base == BaseType::Sampler || t.base == BaseType::Image || t.base == BaseType::AtomicCounter;
}

/// Marks ranges as used, each only once.
class Ranges {
  public:
    explicit Ranges(uint64_t size) : size_(size) {}
    /// False: out of range, or it overlaps another range.
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
    std::vector<bool> taken_;  // only as long as needed: most programs use little of the range
};

class Checker {
  public:
    Checker(const LinkedProgram& p, uint32_t stages, const Limits& l)
        : p_(p), limits_(l), vertex_(has(stages, Stage::Vertex)), fragment_(has(stages, Stage::Fragment)) {}
    std::string run();

  private:
    std::string sizes();
    std::string uniforms();
    std::string uniform(const UniformInfo& u, uint32_t index);
    std::string places(const UniformInfo& u, uint32_t index, uint64_t size);
    std::string samplers();
    std::string attributes();
    std::string member(const UniformInfo& u, const std::vector<UniformBlockInfo>& blocks);
    std::string block(const UniformBlockInfo& b, uint32_t index, bool storage);
    std::string blocks();
    std::string buffer_variables();
    std::string counter(const UniformInfo& u, uint32_t index);
    std::string counters();
    std::string images();
    std::string captures();
    std::string outputs();

    static bool has(uint32_t stages, Stage s) { return stages >> unsigned(s) & 1; }

    const LinkedProgram& p_;
    const Limits& limits_;
    const bool vertex_, fragment_;
    std::unordered_set<std::string_view> names_, block_names_[2], variable_names_;
    std::unordered_set<uint32_t> members_[2], counter_members_;
    std::vector<Ranges> blocks_, slots_, image_slots_,
        block_slots_[2];  // by stage; for uniform and storage blocks
    Ranges locations_{kMaxUniformLocations};
    uint64_t next_storage_ = 0;
};

std::string Checker::sizes() {
    size_t all = 0, all_blocks = 0, all_images = 0;
    blocks_.reserve(ir::kStageCount);
    slots_.reserve(ir::kStageCount);
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        const std::string name = stage_name(Stage(s));
        const size_t slots = p_.samplers[s].size();
        const auto samplers = size_t(std::ranges::count(p_.samplers[s], 0, &SamplerSlot::plane));
        const auto units =
            size_t(Stage(s) == Stage::Fragment || Stage(s) == Stage::Compute ? limits_.fragment_texture_units
                                                                             : limits_.vertex_texture_units);
        if (p_.uniform_dw[s] > kMaxDefaultBlock_dw)
            return limit_text("dwords of uniforms in the " + name + " stage", p_.uniform_dw[s],
                              kMaxDefaultBlock_dw);
        if (samplers > units) return limit_text("samplers in the " + name + " stage", samplers, units);
        if (slots > ir::kMaxSamplerSlots)
            return limit_text("sampler slots of the " + name + " stage", slots, ir::kMaxSamplerSlots);
        all += samplers;
        if (p_.block_slots[s] > uint64_t(limits_.uniform_blocks))
            return limit_text("uniform blocks in the " + name + " stage", p_.block_slots[s],
                              uint64_t(limits_.uniform_blocks));
        all_blocks += p_.block_slots[s];
        const auto stage = ir::Stage(s);
        const auto buffers = std::min(uint64_t(ir::kMaxStorageBuffers),
                                      uint64_t(limits_.stored(stage, limits_.storage_blocks)) +
                                          uint64_t(limits_.stored(stage, limits_.atomic_buffers)));
        if (p_.storage_slots[s] > buffers)
            return limit_text("storage buffers in the " + name + " stage", p_.storage_slots[s], buffers);
        const auto images =
            std::min(uint64_t(ir::kMaxImages), uint64_t(limits_.stored(stage, limits_.images)));
        if (p_.images[s].size() > images)
            return limit_text("images in the " + name + " stage", p_.images[s].size(), images);
        all_images += p_.images[s].size();
        image_slots_.emplace_back(p_.images[s].size());
        block_slots_[1].emplace_back(p_.storage_slots[s]);
        blocks_.emplace_back(p_.uniform_dw[s]);
        slots_.emplace_back(slots);
        block_slots_[0].emplace_back(p_.block_slots[s]);
    }
    const auto combined = size_t(limits_.combined_texture_units);
    if (all > combined) return limit_text("samplers of all stages", all, combined);
    if (all_images > size_t(limits_.combined_images))
        return limit_text("images of all stages", all_images, size_t(limits_.combined_images));
    const auto combined_blocks = size_t(limits_.combined_uniform_blocks);
    if (all_blocks > combined_blocks)
        return limit_text("uniform blocks of all stages", all_blocks, combined_blocks);
    const auto vectors = std::min(uint32_t(limits_.varying_vectors), ir::kMaxVaryings);
    if (p_.varying_slots > vectors) return limit_text("varying vectors", p_.varying_slots, vectors);
    const auto distances = std::min(uint64_t(ir::kMaxDistances), uint64_t(limits_.distances));
    const uint64_t all_distances = uint64_t(p_.clip_distances) + p_.cull_distances;
    if (all_distances > distances) return limit_text("clip and cull distances", all_distances, distances);
    if (p_.distance_slots > (distances + 3) / 4)
        return limit_text("vectors of distances", p_.distance_slots, (distances + 3) / 4);
    if (p_.views < 1 || p_.views > ir::kMaxViews) return limit_text("views", p_.views, ir::kMaxViews);
    return {};
}

/// The uniform's place in each stage. It must have at least one, and all places must be its own.
std::string Checker::places(const UniformInfo& u, uint32_t index, uint64_t size) {
    const bool image = u.type.base == BaseType::Image, sampler = image || u.type.base == BaseType::Sampler;
    bool anywhere = false;
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        const int32_t at = sampler ? u.sampler_slot[s] : u.offset_dw[s];
        if ((sampler ? u.offset_dw[s] : u.sampler_slot[s]) != -1 || at < -1)
            return "has a place that uniforms of its type do not have";
        if (at < 0) continue;
        anywhere = true;
        if (!(image ? image_slots_[s] : sampler ? slots_[s] : blocks_[s]).take(uint64_t(at), size))
            return std::string("lies beyond the ") + stage_name(Stage(s)) +
                   " stage's uniforms, or on another";
        for (uint32_t e = 0; image && e < u.array_size; ++e) {
            const ImageSlot& slot = p_.images[s][size_t(at) + e];
            if (slot.uniform != index || slot.element != e || !(slot.type == u.type))
                return "is not what its image slots say";
        }
        for (uint32_t e = 0; sampler && !image && e < u.array_size; ++e) {
            const SamplerSlot& slot = p_.samplers[s][size_t(at) + e];
            if (slot.uniform != index || slot.element != e || !(slot.type == u.type) || slot.plane)
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
    if (u.stage_mask >> ir::kStageCount) return "is used by stages that there are not";
    const bool builtin = u.name.compare(0, 3, "gl_") == 0;
    if (builtin && (u.block != -1 || u.atomic_buffer != -1)) return "is no built-in uniform";
    if (u.block != -1) return member(u, p_.blocks);
    if (u.binding < -1) return "has a unit that there is not";
    if ((u.atomic_buffer != -1) != (u.type.base == BaseType::AtomicCounter))
        return "is an atomic counter, or none";
    if (u.atomic_buffer != -1) return counter(u, index);
    const uint64_t size = uint64_t(u.array_size) * u.type.components();
    if (u.storage_dw != next_storage_ || size > p_.storage_dw - next_storage_)
        return "does not follow the one before it in the program's values";
    next_storage_ += size;
    if (builtin) {
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

/// A member of a block: it has a place there and nowhere else.
std::string Checker::member(const UniformInfo& u, const std::vector<UniformBlockInfo>& blocks) {
    if (u.block < 0 || size_t(u.block) >= blocks.size()) return "is in no block of the program";
    const bool nowhere = [&] {
        for (unsigned s = 0; s < ir::kStageCount; ++s)
            if (u.offset_dw[s] != -1 || u.sampler_slot[s] != -1) return false;
        return u.location == -1 && u.storage_dw == 0;
    }();
    if (!nowhere || is_opaque(u.type) || u.atomic_buffer != -1) return "is not what members of blocks are";
    if ((u.array_stride_B != 0) != u.is_array || (u.matrix_stride_B != 0) != (u.type.columns > 1))
        return "has strides that its type does not have";
    const bool rows = u.row_major && u.type.columns > 1;
    const uint64_t vectors = rows ? u.type.rows : u.type.columns;
    const uint64_t vector_B = uint64_t(rows ? u.type.columns : u.type.rows) * 4;
    const uint64_t end_B = u.block_offset_B + uint64_t(std::max(1u, u.array_size) - 1) * u.array_stride_B +
                           (vectors - 1) * u.matrix_stride_B + vector_B;
    if (u.block_offset_B % 4 || u.array_stride_B % 4 || u.matrix_stride_B % 4 ||
        end_B > blocks[size_t(u.block)].size_B)
        return "does not lie in its block";
    return {};
}

/// Members of storage blocks.
std::string Checker::buffer_variables() {
    for (size_t n = 0; n < p_.buffer_variables.size(); ++n) {
        const UniformInfo& u = p_.buffer_variables[n];
        const std::string name = "buffer variable " + std::to_string(n) + " ";
        if (!is_name(u.name) || !variable_names_.insert(u.name).second)
            return name + "has no name of its own";
        if (!is_type(u.type) || u.stage_mask >> ir::kStageCount)
            return name + "has a type or stage that there is not";
        if ((u.array_size != 1 && !u.is_array) || u.is_array != u.name.ends_with("[0]"))
            return name + "is an array, or is called like one";
        if (const std::string rule = member(u, p_.storage_blocks); !rule.empty()) return name + rule;
        if (!members_[1].contains(uint32_t(n))) return name + "is no member of its block";
    }
    return {};
}

std::string Checker::counter(const UniformInfo& u, uint32_t index) {
    if (size_t(u.atomic_buffer) >= p_.atomic_buffers.size()) return "is in no buffer of the program";
    const AtomicBufferInfo& b = p_.atomic_buffers[size_t(u.atomic_buffer)];
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        if (u.offset_dw[s] != -1 || u.sampler_slot[s] != -1) return "is not what counters are";
    if (u.location != -1 || u.storage_dw || u.binding != b.binding) return "is not what counters are";
    if (u.array_stride_B != (u.is_array ? 4u : 0u) || u.block_offset_B % 4 ||
        uint64_t(u.block_offset_B) + uint64_t(u.array_size) * 4 > b.size_B)
        return "does not lie in its buffer";
    if (std::find(b.members.begin(), b.members.end(), index) == b.members.end())
        return "is not in its buffer's list";
    return {};
}

std::string Checker::counters() {
    if (p_.atomic_buffers.size() > size_t(limits_.combined_atomic_buffers))
        return limit_text("buffers of atomic counters", p_.atomic_buffers.size(),
                          size_t(limits_.combined_atomic_buffers));
    int last = -1;
    for (size_t n = 0; n < p_.atomic_buffers.size(); ++n) {
        const AtomicBufferInfo& b = p_.atomic_buffers[n];
        const std::string name = "buffer " + std::to_string(n) + " of atomic counters ";
        if (b.binding <= last || b.binding >= limits_.combined_atomic_buffers)
            return name + "has a binding that there is not";
        last = b.binding;
        if (b.size_B % 4 || b.size_B > uint64_t(limits_.storage_block_size_B))
            return name + "has a wrong size";
        for (unsigned s = 0; s < ir::kStageCount; ++s)
            if (b.slot[s] != -1 && (b.slot[s] < 0 || !block_slots_[1][s].take(uint64_t(b.slot[s]), 1)))
                return name + "has a slot that there is not";
        for (const uint32_t m : b.members)
            if (m >= p_.uniforms.size() || p_.uniforms[m].atomic_buffer != int32_t(n) ||
                !counter_members_.insert(m).second)
                return name + "has members that are not its own";
    }
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        for (uint32_t n = 0; n < p_.storage_slots[s]; ++n)
            if (block_slots_[1][s].take(n, 1)) return "a slot for storage buffers belongs to none";
    return {};
}

/// Slots without a uniform, and values that reading did not check.
std::string Checker::images() {
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        for (size_t n = 0; n < p_.images[s].size(); ++n) {
            const ImageSlot& i = p_.images[s][n];
            if (image_slots_[s].take(n, 1)) return "an image slot belongs to no uniform";
            if (i.format > ir::ImageFormat::R32ui || i.qualifiers > ir::mem_flag::kAll)
                return "an image has a format or qualifiers that there are not";
        }
    return {};
}

std::string Checker::block(const UniformBlockInfo& b, uint32_t index, bool storage) {
    const std::vector<UniformBlockInfo>& all = storage ? p_.storage_blocks : p_.blocks;
    const std::vector<UniformInfo>& variables = storage ? p_.buffer_variables : p_.uniforms;
    const int most_B = storage ? limits_.storage_block_size_B : limits_.uniform_block_size_B;
    if (!is_name(b.name) || !block_names_[storage].insert(b.name).second) return "has no name of its own";
    if (b.size_B > uint64_t(most_B) || b.size_B % 4) return "has a wrong size";
    if (b.binding < -1 || b.array_left < 1 || b.array_left > all.size() - index) return "is damaged";
    const bool goes_on = index && all[index - 1].array_left > 1;
    const UniformBlockInfo* const before = goes_on ? &all[index - 1] : nullptr;
    if (before && (before->array_left != b.array_left + 1 || before->size_B != b.size_B ||
                   before->members != b.members))
        return "is not like the one before it in its array";
    bool anywhere = false;
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        const int32_t at = b.slot[s];
        if (before && (before->slot[s] < 0 ? at != -1 : at != before->slot[s] + 1))
            return "does not follow the one before it in its array";
        if (at == -1) continue;
        anywhere = true;
        if (at < 0 || !block_slots_[storage][s].take(uint64_t(at), 1)) return "has a slot that there is not";
    }
    if (!anywhere) return "is in no stage";
    if (before) return {};
    // For an array of blocks, the first one has the members.
    for (const uint32_t m : b.members)
        if (m >= variables.size() || variables[m].block != int32_t(index) ||
            !members_[storage].insert(m).second)
            return "has members that are not its own";
    return {};
}

std::string Checker::captures() {
    const ir::StreamOutputLayout& layout = p_.stream_output;
    const bool separate = p_.capture_separate;
    const auto most = uint64_t(separate ? std::min(limits_.separate_captures, int(ir::kMaxStreamBuffers))
                                        : limits_.interleaved_components);
    if (p_.captures.size() > most) return limit_text("captured outputs", p_.captures.size(), most);
    std::array<uint64_t, ir::kMaxStreamBuffers> strides{};
    for (size_t n = 0; n < p_.captures.size(); ++n) {
        const CaptureInfo& c = p_.captures[n];
        if (!is_name(c.name) || !is_type(c.type) || is_opaque(c.type) || !c.array_size)
            return "a captured output has no name and type";
        strides[separate ? n : 0] += uint64_t(c.type.components()) * c.array_size;
    }
    const auto limit = uint64_t(separate ? limits_.separate_components : limits_.interleaved_components);
    std::vector<Ranges> records;
    for (unsigned b = 0; b < ir::kMaxStreamBuffers; ++b) {
        if (strides[b] != layout.stride_dw[b]) return "a captured record is not its outputs";
        if (strides[b] > limit) return limit_text("captured components", strides[b], limit);
        records.emplace_back(strides[b]);
    }
    const uint64_t slots = ir::fixed_outputs(Stage::Vertex) | ir::distance_mask(p_.distance_slots) |
                           ir::varying_mask(p_.varying_slots);
    uint64_t written = 0;
    for (const ir::StreamOutputLayout::Output& o : layout.outputs) {
        if (o.slot >= 64 || !(slots >> o.slot & 1) || o.count < 1 || o.component + o.count > 4)
            return "a captured component lies in no output";
        if (o.buffer >= ir::kMaxStreamBuffers || !records[o.buffer].take(o.offset_dw, o.count))
            return "a captured component lies beyond its record, or on another";
        written += o.count;
    }
    return written == strides[0] + strides[1] + strides[2] + strides[3] ? "" : "a captured record has gaps";
}

std::string Checker::blocks() {
    for (uint32_t n = 0; n < p_.blocks.size(); ++n)
        if (const std::string rule = block(p_.blocks[n], n, false); !rule.empty())
            return "uniform block " + std::to_string(n) + " " + rule;
    for (uint32_t n = 0; n < p_.storage_blocks.size(); ++n)
        if (const std::string rule = block(p_.storage_blocks[n], n, true); !rule.empty())
            return "storage block " + std::to_string(n) + " " + rule;
    for (uint32_t n = 0; n < p_.uniforms.size(); ++n)
        if (p_.uniforms[n].block != -1 && !members_[0].contains(n))
            return "a member is not in its block's list";
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        for (uint32_t n = 0; n < p_.block_slots[s]; ++n)
            if (block_slots_[0][s].take(n, 1)) return "a slot for uniform blocks belongs to none";
    return {};
}

std::string Checker::uniforms() {
    const int64_t origin = p_.window_origin_dw;
    if (origin != -1 && (origin < 0 || origin + 2 > int64_t(p_.uniform_dw[unsigned(ir::Stage::Fragment)])))
        return "the window's origin is outside the fragment stage's uniforms";
    for (uint32_t n = 0; n < p_.uniforms.size(); ++n)
        if (const std::string rule = uniform(p_.uniforms[n], n); !rule.empty())
            return "uniform " + std::to_string(n) + " " + rule;
    return next_storage_ == p_.storage_dw ? "" : "the program's values are more than its uniforms'";
}

/// Slots of planes, and slots without a uniform.
std::string Checker::samplers() {
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        for (size_t n = 0; n < p_.samplers[s].size(); ++n) {
            const SamplerSlot& slot = p_.samplers[s][n];
            const bool untaken = slots_[s].take(n, 1);
            if (slot.plane) {
                const UniformInfo* const u =
                    slot.uniform < p_.uniforms.size() ? &p_.uniforms[slot.uniform] : nullptr;
                if (slot.plane > 2 || !untaken || !u || !u->type.external || !(u->type == slot.type) ||
                    slot.element >= u->array_size || slot.conversion_dw != -1)
                    return "a sampler slot is of no plane of an external sampler";
                continue;
            }
            if (untaken) return "a sampler slot belongs to no uniform";
            const int32_t dw = slot.conversion_dw;
            if (dw == -1) continue;
            if (!slot.type.external || dw < 0 ||
                !blocks_[s].take(uint64_t(dw), ir::external_conversion::kCount))
                return "a sampler's conversion is outside the stage's uniforms, or on another";
        }
    return {};
}

std::string Checker::attributes() {
    std::unordered_set<std::string_view> names;
    const auto limit = uint64_t(vertex_ ? limits_.vertex_attribs : kMaxVaryingLocations);
    for (const AttributeInfo& a : p_.attributes) {
        if (!is_name(a.name) || !names.insert(a.name).second) return "an attribute has no name of its own";
        // gl_FrontFacing is a bool.
        const bool number = a.type.base == BaseType::Float || a.type.base == BaseType::Int ||
                            a.type.base == BaseType::Uint || (!vertex_ && a.type.base == BaseType::Bool);
        if (!number || !is_type(a.type) || a.array_size == 0)
            return "an attribute has a type that attributes do not have";
        if (!vertex_ && a.location == -1) continue;
        if (a.location < 0) {
            const bool known = a.name == "gl_VertexID" || a.name == "gl_InstanceID" || a.name == ir::kViewVar;
            if (!known || a.location != -1 || a.type.components() != 1 || a.array_size != 1)
                return "an attribute has no location";
            continue;
        }
        // Attributes may share locations (GLES 2.0 section 2.10.4), and an array over vertices occupies one
        // location.
        const uint64_t end = uint64_t(a.location) + uint64_t(a.type.columns) * (vertex_ ? a.array_size : 1);
        if (end > limit) return limit_text("locations up to those of attribute " + a.name, end, limit);
    }
    return {};
}

std::string Checker::outputs() {
    std::unordered_set<std::string_view> names;
    const std::string what = fragment_ ? "fragment output " : "output ";
    const auto limit = uint64_t(fragment_ ? limits_.draw_buffers : kMaxVaryingLocations);
    for (const OutputInfo& o : p_.outputs) {
        if (!is_name(o.name) || !names.insert(o.name).second) return "an output has no name of its own";
        const bool number =
            o.type.base == BaseType::Float || o.type.base == BaseType::Int || o.type.base == BaseType::Uint;
        if (!number || !is_type(o.type) || (fragment_ && o.type.columns != 1) || o.array_size == 0 ||
            (o.array_size > 1 && !o.is_array))
            return "an output has a type that outputs do not have";
        const bool placed = fragment_ && o.name.compare(0, 3, "gl_") != 0;
        if (o.index < 0 || o.index > 1 || o.location < -1 || (placed && o.location < 0))
            return "an output has no location";
        if (o.location < 0) continue;
        const uint64_t end = uint64_t(o.location) + uint64_t(o.type.columns) * o.array_size;
        if (end > (o.index ? 1 : limit))
            return limit_text("locations up to those of " + what + o.name, end, o.index ? 1 : limit);
    }
    return {};
}

std::string Checker::run() {
    for (const auto check : {&Checker::sizes, &Checker::uniforms, &Checker::blocks,
                             &Checker::buffer_variables, &Checker::counters, &Checker::images,
                             &Checker::captures, &Checker::samplers, &Checker::attributes, &Checker::outputs})
        if (std::string rule = (this->*check)(); !rule.empty()) return rule;
    return {};
}

}  // namespace

std::string check_tables(const LinkedProgram& p, uint32_t stages, const Limits& limits) {
    return Checker(p, stages, limits).run();
}

}  // namespace terrazzo::shaders
