// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The kernel's commands: the registers that it sets before the work starts.
#include <cinttypes>

#include "drivers/agx/decode/objects.h"

namespace terrazzo::agx::decode {

using namespace winsys::virt::asahi;

namespace {

/// Prints registers by name. Those that are zero are left out.
class Registers {
  public:
    explicit Registers(Context& context) : c_(context) {}

    void add(const char* name, uint64_t value) {
        if (value) c_.print(1, "%s: 0x%" PRIx64, name, value);
    }
    void add(const char* name, const HelperProgram& p) {
        if (p.binary || p.cfg || p.data)
            c_.print(1, "%s: binary 0x%x, cfg 0x%x, data 0x%" PRIx64, name, p.binary, p.cfg, p.data);
    }
    void add(const char* name, const TileProgram& p) {
        if (p.usc || p.rsrc_spec) c_.print(1, "%s: usc 0x%x, rsrc_spec 0x%x", name, p.usc, p.rsrc_spec);
    }
    void add(const char* name, const ZlsBuffers& buffers) {
        const std::pair<const char*, const ZlsBuffer&> all[] = {
            {"load", buffers.load}, {"store", buffers.store}, {"partial", buffers.partial}};
        for (const auto& [use, b] : all)
            if (b.base || b.stride || b.comp_base || b.comp_stride)
                c_.print(1,
                         "%s.%s: base 0x%" PRIx64 ", stride 0x%" PRIx64 ", comp_base 0x%" PRIx64
                         ", comp_stride 0x%" PRIx64,
                         name, use, b.base, b.stride, b.comp_base, b.comp_stride);
    }
    void add(const char* name, const Attachments& attachments) {
        for (uint32_t i = 0; i < attachments.count && i < kMaxAttachments; ++i)
            c_.print(1, "%s[%u]: %" PRIu64 " bytes @0x%" PRIx64, name, i, attachments.list[i].size_B,
                     attachments.list[i].va);
    }

  private:
    Context& c_;
};

void print_registers(Context& context, const RenderCommand& r) {
    Registers out(context);
    out.add("flags", r.flags);
    context.print(1, "size: %ux%u pixels, %u layers, %u samples", r.width_px, r.height_px, r.layers,
                  r.samples);
    context.print(1, "utile: %ux%u pixels, %u bytes a sample, %u blocks of tile memory", r.utile_width_px,
                  r.utile_height_px, r.sample_size_B, r.tib_blocks);
    out.add("vdm_ctrl_stream_base", r.vdm_ctrl_stream_base);
    out.add("vertex_usc_base", r.vertex_usc_base);
    out.add("fragment_usc_base", r.fragment_usc_base);
    out.add("vertex_helper", r.vertex_helper);
    out.add("fragment_helper", r.fragment_helper);
    out.add("vertex_sampler_heap", r.vertex_sampler_heap);
    out.add("vertex_sampler_count", r.vertex_sampler_count);
    out.add("fragment_sampler_heap", r.fragment_sampler_heap);
    out.add("fragment_sampler_count", r.fragment_sampler_count);
    out.add("isp_ctl", r.isp_ctl);
    out.add("isp_scissor_base", r.isp_scissor_base);
    out.add("isp_dbias_base", r.isp_dbias_base);
    out.add("isp_oclqry_base", r.isp_oclqry_base);
    out.add("isp_zls_pixels", r.isp_zls_pixels);
    out.add("isp_merge_upper_x", r.isp_merge_upper_x);
    out.add("isp_merge_upper_y", r.isp_merge_upper_y);
    out.add("isp_bgobjdepth", r.isp_bgobjdepth);
    out.add("isp_bgobjvals", r.isp_bgobjvals);
    out.add("zls_ctrl", r.zls_ctrl);
    out.add("depth", r.depth);
    out.add("stencil", r.stencil);
    out.add("ppp_ctrl", r.ppp_ctrl);
    out.add("ppp_multisamplectl", r.ppp_multisamplectl);
    out.add("bg", r.bg);
    out.add("eot", r.eot);
    out.add("partial_bg", r.partial_bg);
    out.add("partial_eot", r.partial_eot);
    out.add("vertex_attachments", r.vertex_attachments);
    out.add("fragment_attachments", r.fragment_attachments);
}

void print_registers(Context& context, const ComputeCommand& r) {
    Registers out(context);
    out.add("cdm_ctrl_stream_base", r.cdm_ctrl_stream_base);
    out.add("cdm_ctrl_stream_end", r.cdm_ctrl_stream_end);
    out.add("usc_base", r.usc_base);
    out.add("sampler_heap", r.sampler_heap);
    out.add("sampler_count", r.sampler_count);
    out.add("helper", r.helper);
    out.add("attachments", r.attachments);
}

template <class T>
bool read_command(Context& context, uint64_t va, const char* label, T* out) {
    if (!context.read(va, out, sizeof *out)) {
        context.print(0, "%s @0x%" PRIx64 ": unmapped", label, va);
        return false;
    }
    context.print(0, "%s @0x%" PRIx64 ":", label, va);
    return true;
}

void print_tile_program(Context& context, const char* label, const TileProgram& program) {
    hw::Pipeline pipeline;
    hw::Counts counts;
    (void)unpack(&program.usc, &pipeline);  // some low bits have no known meaning
    (void)unpack(&program.rsrc_spec, &counts);
    print_usc(context, 1, label, pipeline, counts.samplers);
}

bool print_compute(Context& context, Options* options, uint64_t va) {
    ComputeCommand command;
    if (!read_command(context, va, "Dispatches", &command)) return false;
    print_registers(context, command);
    options->usc_base = command.usc_base;
    return print_cdm(context, command.cdm_ctrl_stream_base);
}

bool print_vertex_work(Context& context, Options* options, uint64_t va) {
    RenderCommand command;
    if (!read_command(context, va, "Render", &command)) return false;
    print_registers(context, command);
    options->usc_base = command.vertex_usc_base;
    if (command.fragment_usc_base != command.vertex_usc_base)
        context.print(1, "! fragment programs, too, are printed as if relative to vertex_usc_base");
    return print_vdm(context, command.vdm_ctrl_stream_base);
}

bool print_fragment_work(Context& context, Options* options, uint64_t va) {
    RenderCommand command;
    if (!read_command(context, va, "Fragment work of the render", &command)) return false;
    options->usc_base = command.fragment_usc_base;
    print_tile_program(context, "Background program", command.bg);
    print_tile_program(context, "End-of-tile program", command.eot);
    print_tile_program(context, "Background program of a later pass", command.partial_bg);
    print_tile_program(context, "End-of-tile program before a later pass", command.partial_eot);
    return true;
}

}  // namespace

bool print_command(const Memory& memory, uint64_t va, WorkQueue queue, fields::Sink& sink,
                   const Options& options) {
    Options own = options;
    Context context(memory, sink, own);
    switch (queue) {
        case WorkQueue::Vertex:
            return print_vertex_work(context, &own, va);
        case WorkQueue::Fragment:
            return print_fragment_work(context, &own, va);
        case WorkQueue::Compute:
            return print_compute(context, &own, va);
    }
    context.print(0, "! a group has no queue %u", uint32_t(queue));
    return false;
}

}  // namespace terrazzo::agx::decode
