// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The inputs of the RUN instructions: registers (the rows of hw/cs.rows) and what they point to. Source of
// the choice between several registers: Mesa 25.0.7, src/panfrost/lib/genxml/decode_csf.c.
#include <algorithm>
#include <cinttypes>
#include <initializer_list>

#include "drivers/mali/decode/objects.h"
#include "drivers/mali/hw/cs.h"

namespace terrazzo::mali::decode {

using namespace hw;

namespace {

/// A RUN instruction: its registers, and where its lines are printed.
struct Run {
    Context& context;
    unsigned indent;
    const Registers& registers;

    uint32_t r(unsigned i) const { return registers.get(i); }
    uint64_t d(unsigned i) const { return r(i) | uint64_t(r(i + 1)) << 32; }

    /// Prints all rows, except those whose pointers are followed elsewhere. Registers that the stream has
    /// never set are marked.
    void rows(std::span<const fields::RegisterRow> all, std::initializer_list<unsigned> others) const {
        for (const fields::RegisterRow& row : all) {
            if (std::find(others.begin(), others.end(), row.first) != others.end()) continue;
            bool set = false;
            for (unsigned i = row.first; i < unsigned(row.first + row.count); ++i)
                set = set || registers.is_set(i);
            if (set)
                row.print(context, row.name, registers.values().data() + row.first, indent);
            else
                context.print(indent, "%s: not set", row.name);
        }
    }
    void fau(const char* label, unsigned first) const {
        const uint64_t pointer = d(first);
        print_fau(context, indent, label, pointer & fields::low_mask(48), unsigned(pointer >> 56));
    }
    PrimitiveFlags flags(unsigned first, uint32_t flags_override) const {
        const uint32_t word = r(first) | flags_override;
        PrimitiveFlags out;
        context.print(indent, "Primitive flags:");
        context.unpack_and_print(indent + 1, &word, &out);
        return out;
    }
    void blend(unsigned first, uint64_t fragment_code) const {
        print_blend(context, indent, d(first) & ~uint64_t(0xf), unsigned(d(first) & 0xf), fragment_code);
    }
    void primitive_size(unsigned first, const PrimitiveFlags& flags) const {
        if (flags.point_size_array_format == PointSizeArrayFormat::None)
            context.print(indent, "primitive_size: %g", double(fields::get_float(r(first))));
        else
            context.print(indent, "primitive_size_array: 0x%" PRIx64, d(first));
    }
};

void print_inputs(const Run& run, const CsRunIdvs& i) {
    using R = IdvsRegisters;
    Context& context = run.context;
    const PrimitiveFlags flags = run.flags(R::primitive_flags, i.flags_override);
    const bool varyings = flags.secondary_shader;
    print_resource_tables(context, run.indent, "Position resources", run.d(R::vertex_srt));
    if (varyings)
        print_resource_tables(context, run.indent, "Varying resources",
                              run.d(i.varying_srt_select ? R::varying_srt : R::vertex_srt));
    print_resource_tables(context, run.indent, "Fragment resources",
                          run.d(i.fragment_srt_select ? R::fragment_srt : R::vertex_srt));
    run.fau("Position FAU", R::vertex_fau);
    if (varyings) run.fau("Varying FAU", i.varying_fau_select ? R::varying_fau : R::vertex_fau);
    run.fau("Fragment FAU", R::fragment_fau);
    (void)print_shader(context, run.indent, "Position shader", run.d(R::position_spd));
    if (varyings) (void)print_shader(context, run.indent, "Varying shader", run.d(R::varying_spd));
    const uint64_t code = print_shader(context, run.indent, "Fragment shader", run.d(R::fragment_spd));
    print_local_storage(context, run.indent, "Position local storage", run.d(R::vertex_tsd));
    if (varyings)
        print_local_storage(context, run.indent, "Varying local storage",
                            run.d(i.varying_tsd_select ? R::varying_tsd : R::vertex_tsd));
    print_local_storage(context, run.indent, "Fragment local storage",
                        run.d(i.fragment_tsd_select ? R::fragment_tsd : R::vertex_tsd));
    if (i.draw_id_register_enable) context.print(run.indent, "draw_id: %u", run.r(i.draw_id));
    run.rows(R::rows(), {R::vertex_srt, R::varying_srt, R::fragment_srt, R::vertex_fau, R::varying_fau,
                         R::fragment_fau, R::position_spd, R::varying_spd, R::fragment_spd, R::vertex_tsd,
                         R::varying_tsd, R::fragment_tsd, R::tiler_context, R::blend, R::depth_stencil,
                         R::primitive_flags, R::primitive_size});
    run.primitive_size(R::primitive_size, flags);
    print_tiler_context(context, run.indent, run.d(R::tiler_context));
    run.blend(R::blend, code);
    print_depth_stencil(context, run.indent, run.d(R::depth_stencil));
}

/// Tables, uniforms, shader and local storage of instructions that select one of four of each.
template <class R, class I>
uint64_t print_selected(const Run& run, const I& i) {
    print_resource_tables(run.context, run.indent, "Resources", run.d(R::srt + 2 * i.srt_select));
    run.fau("FAU", R::fau + 2 * i.fau_select);
    const uint64_t code = print_shader(run.context, run.indent, "Shader", run.d(R::spd + 2 * i.spd_select));
    print_local_storage(run.context, run.indent, "Local storage", run.d(R::tsd + 2 * i.tsd_select));
    return code;
}

void print_inputs(const Run& run, const CsRunTiling& i) {
    using R = TilingRegisters;
    const PrimitiveFlags flags = run.flags(R::primitive_flags, i.flags_override);
    const uint64_t code = print_selected<R>(run, i);
    run.rows(R::rows(), {R::srt, R::fau, R::spd, R::tsd, R::tiler_context, R::blend, R::depth_stencil,
                         R::primitive_flags, R::primitive_size});
    run.primitive_size(R::primitive_size, flags);
    print_tiler_context(run.context, run.indent, run.d(R::tiler_context));
    run.blend(R::blend, code);
    print_depth_stencil(run.context, run.indent, run.d(R::depth_stencil));
}

void print_compute(const Run& run, const auto& i) {
    using R = ComputeRegisters;
    print_selected<R>(run, i);
    run.rows(R::rows(), {R::srt, R::fau, R::spd, R::tsd});
}
void print_inputs(const Run& run, const CsRunCompute& i) {
    print_compute(run, i);
}
void print_inputs(const Run& run, const CsRunComputeIndirect& i) {
    print_compute(run, i);
}

void print_inputs(const Run& run, const CsRunFragment& i) {
    using R = FragmentRegisters;
    const uint64_t pointer = run.d(R::framebuffer);
    if (i.enable_tem)
        run.rows(R::rows(), {R::framebuffer});
    else
        run.rows(R::rows(), {R::framebuffer, R::tile_enable_map, R::tile_enable_map_stride});
    const uint32_t words[2] = {uint32_t(pointer), uint32_t(pointer >> 32)};
    FramebufferPointer decoded;
    run.context.print(run.indent, "Framebuffer pointer:");
    run.context.unpack_and_print(run.indent + 1, words, &decoded);
    print_framebuffer(run.context, run.indent, decoded.pointer);
}

void print_inputs(const Run& run, const CsRunFullscreen& i) {
    using R = FullscreenRegisters;
    (void)run.flags(R::primitive_flags, i.flags_override);
    run.rows(R::rows(), {R::tiler_context, R::primitive_flags});
    print_tiler_context(run.context, run.indent, run.d(R::tiler_context));
    print_draw(run.context, run.indent, "Draw", run.d(i.dcd));
}

/// Other instructions run nothing.
template <class I>
void print_inputs(const Run&, const I&) {}

}  // namespace

void print_run(Context& context, unsigned indent, uint64_t word, const Registers& registers) {
    const Run run{context, indent, registers};
    visit(CsOpcode(word >> 56), word, [&](const auto& i, const auto&) { print_inputs(run, i); });
}

}  // namespace terrazzo::mali::decode
