// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniforms and samplers: which of them the optimised stages still read, their places in each stage's default
// block, their locations, the program's value store, and the lowered loads.
#include <algorithm>

#include "shaders/link/check.h"
#include "shaders/link/linker.h"
#include "shaders/link/packing.h"

namespace terrazzo::shaders {

namespace {

using ir::Instr;
using ir::Op;

bool is_sampler(const InterfaceVar& v) {
    return v.type.base == BaseType::Sampler;
}
bool is_image(const InterfaceVar& v) {
    return v.type.base == BaseType::Image;
}
uint32_t elements(const InterfaceVar& v) {
    return std::max(1u, v.array_size);
}
uint32_t components(const InterfaceVar& v) {
    return is_sampler(v) || is_image(v) ? 1 : v.type.components();
}

}  // namespace

void Linker::find_used_uniforms(Stage s) {
    each_instruction(shader(s).body, [&](Instr* i) {
        if (i->op == Op::LoadVar && i->var->storage == ir::Storage::Uniform) {
            Use& u = uses_[i->var];
            u.any = true;
            u.components.resize(i->var->count);
            if (i->operand_count)
                u.components.assign(i->var->count, true);
            else
                u.components[i->u.io.component] = true;
        }
        const ir::Var* const opaque = i->op == Op::Tex      ? i->u.tex->var
                                      : ir::is_image(i->op) ? i->u.mem->var
                                                            : nullptr;
        if (opaque) {
            // An array of samplers or images is one range of slots, whichever elements are used.
            Use& u = uses_[opaque];
            u.any = true;
            u.components.assign(opaque->count, true);
        }
    });
}

/// Whether this stage reads any part of the leaf.
static bool touches(const std::vector<bool>& used, const InterfaceVar& v) {
    const size_t end = std::min<size_t>(used.size(), v.first_component + size_t(elements(v)) * components(v));
    return std::find(used.begin() + std::min<size_t>(v.first_component, end), used.begin() + end, true) !=
           used.begin() + end;
}

void Linker::check_uniform_limits(Stage s) {
    const bool vertex = s != Stage::Fragment && s != Stage::Compute;
    const uint32_t vectors =
        uint32_t(vertex ? options_.limits.vertex_uniform_vectors : options_.limits.fragment_uniform_vectors);
    const uint32_t units =
        uint32_t(vertex ? options_.limits.vertex_texture_units : options_.limits.fragment_texture_units);
    std::vector<PackItem> items;
    uint64_t samplers = 0, images = 0, rows = 0;
    for (const InterfaceVar& v : source(s)->uniforms) {
        const auto use = uses_.find(var(s, v));
        if (use == uses_.end() || !touches(use->second.components, v)) continue;
        if (is_sampler(v))
            samplers += elements(v);
        else if (is_image(v))
            images += elements(v);
        else
            items.push_back(pack_shape(v.type, v.array_size)), rows += items.back().rows;
    }
    // More than four rows per vector can never fit, so the packing below need not try.
    if (rows > uint64_t(vectors) * 4 || !pack(items, vectors))
        error("too many uniforms in the " + std::string(stage_name(s)) + " shader: they do not fit in " +
              std::to_string(vectors) + " vectors");
    if (samplers > units)
        error("too many samplers in the " + std::string(stage_name(s)) + " shader: " +
              std::to_string(samplers) + " are used, " + std::to_string(units) + " are supported");
    const int most_images = options_.limits.stored(s, options_.limits.images);
    if (images > uint64_t(most_images))
        error("too many images in the " + std::string(stage_name(s)) + " shader: " + std::to_string(images) +
              " are used, " + std::to_string(most_images) + " are supported");
}

void Linker::layout_uniforms(Stage s) {
    uint32_t next_dw = 0, next_slot = 0, next_image = 0;
    // Variables in the order of their declaration, each once.
    for (ir::Var* v : vars_[unsigned(s)]) {
        const auto use = uses_.find(v);
        if (use == uses_.end()) continue;
        uint32_t& next = v->storage == ir::Storage::Sampler ? next_slot
                         : v->storage == ir::Storage::Image ? next_image
                                                            : next_dw;
        use->second.offset = next;
        next += v->count;
        if (next_dw > kMaxDefaultBlock_dw)
            return error("too many uniforms in the " + std::string(stage_name(s)) + " shader: up to '" +
                         v->name + "' they take " + std::to_string(next_dw) +
                         " scalars, all elements of their arrays "
                         "counted; the limit is " +
                         std::to_string(kMaxDefaultBlock_dw));
    }
    if (next_slot > ir::kMaxSamplerSlots)
        return error("too many samplers in the " + std::string(stage_name(s)) +
                     " shader: external ones count three times, and so there are " +
                     std::to_string(next_slot) + "; the limit is " + std::to_string(ir::kMaxSamplerSlots));
    program_->uniform_dw[unsigned(s)] = next_dw;
    program_->samplers[unsigned(s)].resize(next_slot);
    program_->images[unsigned(s)].resize(next_image);
}

void Linker::place_uniform(UniformInfo& u, Stage s, const InterfaceVar& v) {
    const auto use = uses_.find(var(s, v));
    if (use == uses_.end()) return;
    const int32_t at = int32_t(use->second.offset + v.first_component);
    if (is_sampler(v) || is_image(v))
        u.sampler_slot[unsigned(s)] = at;
    else
        u.offset_dw[unsigned(s)] = at;
}

void Linker::list_uniforms() {
    std::map<std::string_view, size_t> known;
    for (unsigned k = 0; k < ir::kStageCount; ++k) {
        if (!source_[k]) continue;
        for (const InterfaceVar& v : source_[k]->uniforms) {
            const auto use = uses_.find(var(Stage(k), v));
            if (use == uses_.end() || !touches(use->second.components, v)) continue;
            const auto [it, fresh] = known.try_emplace(v.name, program_->uniforms.size());
            if (fresh) {
                UniformInfo u;
                u.is_array = v.array_size > 0;
                u.name = v.name + (u.is_array ? "[0]" : "");
                u.type = v.type;
                u.array_size = elements(v);
                u.precision = v.precision;
                u.storage_dw = program_->storage_dw;
                if (is_sampler(v) || is_image(v)) u.binding = -1;
                program_->storage_dw += elements(v) * components(v);
                program_->uniforms.push_back(u);
            }
            UniformInfo& u = program_->uniforms[it->second];
            u.stage_mask |= 1u << k;
        }
    }
    // A stage that has the variable's storage shares the leaf, whether or not it reads this element. A
    // location or binding counts in any stage.
    for (unsigned k = 0; k < ir::kStageCount; ++k) {
        if (!source_[k]) continue;
        for (const InterfaceVar& v : source_[k]->uniforms) {
            const auto it = known.find(v.name);
            if (it == known.end()) continue;
            UniformInfo& u = program_->uniforms[it->second];
            place_uniform(u, Stage(k), v);
            if (u.location < 0) u.location = v.location;
            if (v.binding >= 0) u.binding = v.binding;
        }
    }
    place_locations();
}

/// Explicit locations: those of unused uniforms are reserved as well (ESSL 3.10 section 4.4.3).
bool Linker::take_locations(std::vector<bool>* taken) {
    std::map<uint64_t, std::string_view> owner;
    for (const CompiledShader* s : source_) {
        for (size_t n = 0; s && n < s->uniforms.size(); ++n) {
            const InterfaceVar& v = s->uniforms[n];
            if (v.location < 0 || v.block >= 0) continue;
            const uint64_t end = uint64_t(v.location) + elements(v);
            if (end > uint64_t(options_.limits.uniform_locations)) {
                error("uniform '" + v.name + "' has locations beyond the limit of " +
                      std::to_string(options_.limits.uniform_locations));
                return false;
            }
            if (taken->size() < end) taken->resize(end);
            for (uint64_t at = uint64_t(v.location); at < end; ++at) {
                (*taken)[at] = true;
                const auto [it, fresh] = owner.emplace(at, v.name);
                if (fresh || it->second == v.name) continue;
                error("uniforms '" + std::string(it->second) + "' and '" + v.name + "' both have location " +
                      std::to_string(at));
                return false;
            }
        }
    }
    return true;
}

void Linker::place_locations() {
    std::vector<bool> taken;
    if (!take_locations(&taken)) return;
    uint32_t next = 0;
    for (UniformInfo& u : program_->uniforms) {
        if (u.location >= 0 || u.name.compare(0, 3, "gl_") == 0) continue;
        const auto free = [&](uint32_t at) {
            for (uint32_t e = 0; e < u.array_size; ++e)
                if (at + e < taken.size() && taken[at + e]) return false;
            return true;
        };
        while (!free(next))
            ++next;
        u.location = int(next);
        next += u.array_size;
    }
    // OpenGL ES 3.2 section 7.6.1. Programs without explicit locations may exceed the limit.
    if (!taken.empty() && next > uint32_t(options_.limits.uniform_locations))
        error("the uniforms have more locations than the limit of " +
              std::to_string(options_.limits.uniform_locations));
}

void Linker::list_samplers() {
    for (uint32_t n = 0; n < program_->uniforms.size(); ++n) {
        const UniformInfo& u = program_->uniforms[n];
        if (u.type.base != BaseType::Sampler) continue;
        for (unsigned k = 0; k < ir::kStageCount; ++k) {
            if (u.sampler_slot[k] < 0) continue;
            for (uint32_t e = 0; e < u.array_size; ++e)
                program_->samplers[k][uint32_t(u.sampler_slot[k]) + e] = {u.type, n, e};
        }
    }
    for (unsigned k = 0; k < ir::kStageCount; ++k)
        list_planes(Stage(k));
}

/// Lists the planes of external samplers; plane 0's slots are listed already.
void Linker::list_planes(Stage s) {
    std::vector<SamplerSlot>& slots = program_->samplers[unsigned(s)];
    for (const ir::ExternalSampler& x : externals_[unsigned(s)])
        for (uint32_t e = 0; e < x.sampler->count; ++e) {
            SamplerSlot& first = slots[uses_[x.sampler].offset + e];
            for (unsigned n = 0; n < 2; ++n) {
                SamplerSlot& plane = slots[uses_[x.chroma[n]].offset + e];
                plane = first;
                plane.plane = uint8_t(n + 1);
            }
            first.conversion_dw = int32_t(uses_[x.conversion].offset + e * ir::external_conversion::kCount);
        }
}

void Linker::list_images() {
    // Formats and qualifiers come from the declarations, as uniforms do not report them.
    std::map<std::string_view, const InterfaceVar*> declared;
    for (const CompiledShader* s : source_)
        for (size_t n = 0; s && n < s->uniforms.size(); ++n)
            if (is_image(s->uniforms[n])) declared.emplace(s->uniforms[n].name, &s->uniforms[n]);
    size_t total = 0;
    for (uint32_t n = 0; n < program_->uniforms.size(); ++n) {
        const UniformInfo& u = program_->uniforms[n];
        if (u.type.base != BaseType::Image) continue;
        const std::string_view name(u.name.data(), u.name.size() - (u.is_array ? 3 : 0));
        const InterfaceVar& v = *declared.at(name);
        for (unsigned k = 0; k < ir::kStageCount; ++k) {
            if (u.sampler_slot[k] < 0) continue;
            total += u.array_size;
            for (uint32_t e = 0; e < u.array_size; ++e)
                program_->images[k][uint32_t(u.sampler_slot[k]) + e] = {u.type, n, e, v.format, v.qualifiers};
        }
    }
    if (total > size_t(options_.limits.combined_images))
        error("too many images: the stages use " + std::to_string(total) + " together, " +
              std::to_string(options_.limits.combined_images) + " are supported");
}

void Linker::check_combined_samplers() {
    size_t total = 0;
    for (const auto& s : program_->samplers)
        total += size_t(std::ranges::count(s, 0, &SamplerSlot::plane));
    if (total > size_t(options_.limits.combined_texture_units))
        error("too many samplers: the stages use " + std::to_string(total) + " together, " +
              std::to_string(options_.limits.combined_texture_units) + " are supported");
}

void Linker::lower_uniforms(Stage s) {
    ir::Shader& sh = shader(s);
    each_instruction(sh.body, [&](Instr* i) {
        if (i->op == Op::LoadVar && i->var->storage == ir::Storage::Uniform) {
            ir::Builder b(sh, i);
            b.line = i->line;
            const bool boolean = i->result()->type == ir::Type::Bool;
            const uint32_t c = i->u.io.component;
            ir::Value* index = i->operand_count ? i->operand(0) : nullptr;
            ir::Value* v = b.load_uniform(boolean ? ir::Type::I32 : i->result()->type,
                                          uses_[i->var].offset + c, index, index ? i->var->count - c : 1);
            v->def->flags = i->flags;
            if (boolean) v = b.alu(Op::INe, v, b.i32(0));
            ir::replace_uses(i->result(), v);
            ir::erase(i);
        } else if (ir::is_memory(i->op) && i->u.mem->var) {
            const bool image = ir::is_image(i->op);
            lower_slot(sh, i, image ? uses_[i->u.mem->var].offset : block_slots_.at(i->u.mem->var));
        } else if (i->op == Op::Tex && i->u.tex->var) {
            ir::TexInfo& t = *i->u.tex;
            t.binding = int(uses_[t.var].offset);
            if (t.indexed) {
                t.count = t.var->count;
                const int at = ir::tex_operands(t).index;
                if (ir::is_const(i->operand(unsigned(at)))) {
                    t.binding += int(ir::const_bits(i->operand(unsigned(at))));
                    sh.remove_operand(i, unsigned(at));
                    t.indexed = false;
                    t.count = 1;
                }
            }
            t.var = nullptr;
        }
    });
}

}  // namespace terrazzo::shaders
