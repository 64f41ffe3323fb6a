// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: Mesa 25.0.7, agx_linker.c, agx_uvs.h (slots of varyings), docs/drivers/asahi.rst.
#include "drivers/agx/program/program.h"

#include <bit>
#include <cstring>
#include <new>

#include "drivers/agx/program/stage_code.h"
#include "drivers/common/program/vendor_program.h"
#include "pipe/debug.h"

namespace terrazzo::agx {

namespace {

using compiler::CoefficientGroup;
using compiler::Sysval;

constexpr unsigned kPositionWords = 4;

ShaderPart part_of(compiler::Binary&& binary, uint32_t uniform_dw) {
    ShaderPart part;
    part.info = std::move(binary.info);
    part.code = std::move(binary.code);
    part.present = true;
    part.uniform_dw = uniform_dw;
    part.uniforms = programs::lay_out_uniforms(part.info.uniforms);
    for (const compiler::UniformWord& w : part.info.uniforms) {
        if (w.kind != compiler::UniformWord::Kind::Sysval) continue;
        if (w.value == unsigned(Sysval::DefaultBlock)) part.reads_default_block = true;
        if (w.value >= unsigned(Sysval::UniformBlock0)) part.reads_slots = true;
        if (w.value >= unsigned(Sysval::UniformBlock0) && w.value <= unsigned(Sysval::UniformBlockLast))
            part.blocks |= 1u << (w.value - unsigned(Sysval::UniformBlock0)) / 4;
    }
    return part;
}

/// The code of a program: pieces, the shader, pieces. Null pieces are skipped. It has an error if one was
/// refused. Throws std::bad_alloc.
using Piece = const compiler::Binary*;
std::unique_ptr<const LinkedCode> link(Device& device, std::span<const Piece> before,
                                       const ShaderPart& shader, std::span<const Piece> after) {
    auto out = std::make_unique<LinkedCode>();
    std::vector<isa::Unit> code;
    const auto add = [&](const std::vector<isa::Unit>& c, uint32_t registers) {
        code.insert(code.end(), c.begin(), c.end());
        out->registers = std::max(out->registers, registers);
    };
    const auto add_pieces = [&](std::span<const Piece> pieces) {
        for (const Piece p : pieces) {
            if (!p) continue;
            add(p->code, p->info.registers);
            if (out->error.empty()) out->error = p->error;
        }
    };
    add_pieces(before);
    add(shader.code, shader.info.registers);
    add_pieces(after);
    if (!out->error.empty()) return out;
    code.push_back(compiler::kStop);
    std::vector<uint64_t> words((code.size() * sizeof code[0] + 7) / 8);
    std::memcpy(words.data(), code.data(), code.size() * sizeof code[0]);
    if (!out->code.upload(device, words)) throw std::bad_alloc();
    return out;
}

hw::ShadeModel shade_model(const CoefficientGroup& g) {
    if (g.source != CoefficientGroup::Source::Varying) return hw::ShadeModel::Linear;
    // OpenGL ES takes flat values from a primitive's last vertex.
    return g.interp == ir::Interp::Flat     ? hw::ShadeModel::FlatVertex2
           : g.interp == ir::Interp::Smooth ? hw::ShadeModel::Perspective
                                            : hw::ShadeModel::Linear;
}

}  // namespace

std::string AgxProgram::build_stage(Device& device, const pipe::ProgramDesc& desc, pipe::Stage stage,
                                    const compiler::Options& options, Shared& shared, ShaderPart* out) {
    if (!programs::has_stage(desc, stage)) return {};
    StageCode code = programs::get_stage_code<StageCode>(desc, stage, shared.cache, options);
    if (!code.error.empty()) return programs::stage_error(stage, code.error);
    if (device.debug.has(pipe::DebugWord::Shaders))
        pipe::debug_print(pipe::DebugWord::Shaders,
                          programs::code_name(desc, programs::stage_name(stage)) + code_text(code.binary));
    *out = part_of(std::move(code.binary), code.uniform_dw);
    used[size_t(stage)].textures = out->info.textures;
    return {};
}

/// Slots of 32 bits: W, depth if it is read, the words after the position.
std::string AgxProgram::link_varyings(Device& device) {
    const compiler::Info& from = vertex.info;
    varying_counts.smooth = from.smooth_words;
    varying_counts.flat = from.flat_words;
    varying_counts.linear = from.linear_words;
    reads_depth = std::ranges::any_of(fragment.info.coefficients, [](const CoefficientGroup& g) {
        return g.source == CoefficientGroup::Source::Z;
    });
    if (fragment.info.coefficients.empty()) return {};
    const unsigned first = 1 + reads_depth;
    hw::CfHeader header;
    header.slots_32 = first + from.smooth_words + from.flat_words + from.linear_words;
    std::vector<hw::CfBinding> bindings;
    for (const CoefficientGroup& g : fragment.info.coefficients) {
        hw::CfBinding b;
        b.components = g.count;
        b.shade_model = shade_model(g);
        b.base_register = g.first_register;
        header.registers = std::max<uint32_t>(header.registers, g.first_register + g.count);
        switch (g.source) {
            case CoefficientGroup::Source::W:
                break;
            case CoefficientGroup::Source::Z:
                b.source = hw::CoefficientSource::FragCoordZ;
                b.base_slot = 1;
                break;
            case CoefficientGroup::Source::PointCoord:
                b.source = hw::CoefficientSource::PointCoord;
                break;
            case CoefficientGroup::Source::Varying: {
                // What the vertex shader does not write is undefined.
                const compiler::OutputPlace& place = from.outputs[g.varying];
                const unsigned slot =
                    place.count > g.component ? first + place.word - kPositionWords + g.component : 0;
                if (slot + g.count > header.slots_32 && g.count > header.slots_32)
                    return "the fragment shader reads more varyings than the vertex shader writes";
                b.base_slot = std::min<uint32_t>(slot, header.slots_32 - g.count);
                break;
            }
        }
        bindings.push_back(b);
    }
    coefficient_count = uint32_t(bindings.size());
    const uint32_t size_B = hw::CfHeader::kSize_B + coefficient_count * hw::CfBinding::kSize_B;
    coefficients = device.create_block(size_B, 64, bo_flag::kExecutable);
    if (!coefficients) return programs::kOutOfMemory;
    auto* out = reinterpret_cast<uint32_t*>(coefficients.cpu);
    hw::pack(header, out);
    out += hw::CfHeader::kSize_dw;
    for (const hw::CfBinding& b : bindings) {
        hw::pack(b, out);
        out += hw::CfBinding::kSize_dw;
    }
    return {};
}

std::string AgxProgram::build(Device& device, const pipe::ProgramDesc& desc, Shared& shared) {
    compiler::Options options;
    if (std::string error = build_stage(device, desc, pipe::Stage::Fragment, options, shared, &fragment);
        !error.empty())
        return error;
    for (const CoefficientGroup& g : fragment.info.coefficients) {
        if (g.source != CoefficientGroup::Source::Varying) continue;
        if (g.interp == ir::Interp::Flat) options.flat_varyings |= 1u << g.varying;
        if (g.interp == ir::Interp::NoPerspective) options.linear_varyings |= 1u << g.varying;
    }
    if (std::string error = build_stage(device, desc, pipe::Stage::Vertex, options, shared, &vertex);
        !error.empty())
        return error;
    return link_varyings(device);
}

const LinkedCode& AgxProgram::vertex_code(Device& device, Shared& shared, const FetchKey& key) const {
    return *vertex_codes_.find(key, [&] {
        const Piece fetch = &shared.pieces.fetch(key);
        return link(device, {&fetch, 1}, vertex, {});
    });
}

const LinkedCode& AgxProgram::fragment_code(Device& device, Shared& shared, const StoreKeys& key) const {
    return *fragment_codes_.find(key, [&] {
        std::array<Piece, pipe::kMaxColorTargets> stores{};
        for (size_t n = 0; n < key.size(); ++n)
            if (key[n].writes) stores[n] = &shared.pieces.store(key[n]);
        return link(device, {}, fragment, stores);
    });
}

}  // namespace terrazzo::agx
