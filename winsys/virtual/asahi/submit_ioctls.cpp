// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Submits (file.rs, queue/mod.rs, render.rs, compute.rs).
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "winsys/virtual/asahi/driver.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/files/user_arrays.h"

namespace terrazzo::winsys::virt::asahi {
namespace {

using uapi::drm_asahi_cmd_compute;
using uapi::drm_asahi_cmd_header;
using uapi::drm_asahi_cmd_render;

constexpr uint64_t kSync_B = 32;          // the size of each in the kernel's memory
constexpr uint32_t kIspCtlBase = 0xc000;  // bits that the kernel always sets
constexpr uint32_t kTileBlock_B = 2048;   // in which tilebuffer memory is allocated
constexpr uint32_t kMaxSize_px = 16384, kMaxLayers = 2048;
constexpr uint64_t kCacheLine_B = 128;

/// The flat command buffer of a submit.
class Parser {
  public:
    Parser(File& file, const QueueTraits& traits, std::vector<uint8_t> bytes)
        : file_(file), traits_(traits), bytes_(std::move(bytes)) {}

    /// Returns 0 or the error of the first bad command.
    int run();
    Commands commands;

  private:
    int count();
    int parse(const drm_asahi_cmd_header& header, const uint8_t* payload);
    int parse_render(const uint8_t* payload, size_t size_B, Command* out);
    int parse_compute(const uint8_t* payload, size_t size_B, Command* out);

    File& file_;
    const QueueTraits& traits_;
    const std::vector<uint8_t> bytes_;
    Attachments vertex_{}, fragment_{}, compute_{};
};

/// Calls `each(header, payload)` for every command, in order, until it returns an error.
template <typename F>
int for_each_command(const std::vector<uint8_t>& bytes, F&& each) {
    for (size_t at = 0; at < bytes.size();) {
        drm_asahi_cmd_header header;
        if (bytes.size() - at < sizeof header) return -EINVAL;
        memcpy(&header, bytes.data() + at, sizeof header);
        at += sizeof header;
        if (bytes.size() - at < header.size) return -EINVAL;
        if (const int error = each(header, bytes.data() + at)) return error;
        at += header.size;
    }
    return 0;
}

/// Reads a payload of another version: missing fields are 0, and fields that are unknown here must be 0.
template <typename T>
int read_payload(const uint8_t* payload, size_t size_B, T* out) {
    *out = {};
    memcpy(out, payload, std::min(size_B, sizeof *out));
    for (size_t i = sizeof *out; i < size_B; i++)
        if (payload[i]) return -EINVAL;
    return 0;
}

int read_attachments(const uint8_t* payload, size_t size_B, Attachments* out) {
    *out = {};
    uapi::drm_asahi_attachment one;
    if (size_B % sizeof one || size_B / sizeof one > kMaxAttachments) return -EINVAL;
    for (size_t at = 0; at < size_B; at += sizeof one) {
        memcpy(&one, payload + at, sizeof one);
        if (one.flags || one.pad) return -EINVAL;
        if (const int error = add_attachment(one.pointer, one.size, out)) return error;
    }
    return 0;
}

TileProgram tile_program(const uapi::drm_asahi_bg_eot& program) {
    return {program.usc, program.rsrc_spec};
}

HelperProgram helper_program(const uapi::drm_asahi_helper_program& program) {
    return {program.binary, program.cfg, program.data};
}

/// The same buffer is loaded and stored, also in partial renders.
ZlsBuffers zls_buffers(const uapi::drm_asahi_zls_buffer& b) {
    const ZlsBuffer one{b.base, b.stride, b.comp_base, b.comp_stride};
    return {one, one, one};
}

int read_timestamps(File& file, const uapi::drm_asahi_timestamps& t, Part* part) {
    if (const int error = find_timestamp(file, t.start, &part->start)) return error;
    return find_timestamp(file, t.end, &part->end);
}

}  // namespace

int add_attachment(uint64_t va, uint64_t size_B, Attachments* to) {
    // The firmware counts cache lines in 32 bits.
    if (size_B > UINT64_MAX - kCacheLine_B || (size_B + kCacheLine_B - 1) / kCacheLine_B > UINT32_MAX)
        return -EINVAL;
    to->list[to->count++] = {va, size_B};
    return 0;
}

int check_sizes(const RenderCommand& r) {
    if (!r.layers || r.layers > kMaxLayers) return -EINVAL;
    const bool is_tile = (r.utile_width_px == 32 && (r.utile_height_px == 32 || r.utile_height_px == 16)) ||
                         (r.utile_width_px == 16 && r.utile_height_px == 16);
    return is_tile && (r.samples == 1 || r.samples == 2 || r.samples == 4) ? 0 : -EINVAL;
}

int check_size_px(uint32_t width_px, uint32_t height_px) {
    return !width_px || !height_px || width_px > kMaxSize_px || height_px > kMaxSize_px ? -EINVAL : 0;
}

bool is_barrier(uint32_t barrier, Subqueue subqueue, const Commands& commands) {
    if (barrier == kNoBarrier) return true;
    const auto before = std::count_if(commands.begin(), commands.end(), [&](const auto& command) {
        return command->is_render() == (subqueue == Subqueue::Vdm);
    });
    return barrier <= static_cast<size_t>(before);
}

int add_sync(SyncList& syncs, const uapi::drm_asahi_sync& sync, bool signals) {
    if (sync.sync_type > uapi::kAsahiSyncTimelineSyncobj ||
        (sync.sync_type == uapi::kAsahiSyncSyncobj && sync.timeline_value))
        return -EINVAL;
    if (!signals) return syncs.wait(sync.handle, sync.timeline_value);
    const bool found = sync.sync_type == uapi::kAsahiSyncTimelineSyncobj
                           ? syncs.signal_point(sync.handle, sync.timeline_value)
                           : syncs.signal(sync.handle, 0);
    return found ? 0 : -ENOENT;
}

/// The kernel checks the number of commands before their contents.
int Parser::count() {
    uint32_t work = 0;
    const int error = for_each_command(bytes_, [&](const drm_asahi_cmd_header& header, const uint8_t*) {
        work += header.cmd_type == uapi::kAsahiCmdRender || header.cmd_type == uapi::kAsahiCmdCompute;
        return 0;
    });
    return error ? error : work == 0 || work > kMaxCommands ? -EINVAL : 0;
}

int Parser::parse_render(const uint8_t* payload, size_t size_B, Command* out) {
    drm_asahi_cmd_render in;
    if (const int error = read_payload(payload, size_B, &in)) return error;
    if (in.flags & ~uapi::kAsahiRenderFlags) return -EINVAL;
    if (const int error = check_size_px(in.width_px, in.height_px)) return error;
    if (const int error = read_timestamps(file_, in.ts_vtx, &out->parts[0])) return error;
    if (const int error = read_timestamps(file_, in.ts_frag, &out->parts[1])) return error;
    auto& r = out->registers.emplace<RenderCommand>(
        RenderCommand{.flags = in.flags & ~uapi::kAsahiRenderDbiasIsInt,
                      .isp_ctl = kIspCtlBase | (in.flags & uapi::kAsahiRenderDbiasIsInt),
                      .vdm_ctrl_stream_base = in.vdm_ctrl_stream_base,
                      .vertex_usc_base = traits_.usc_exec_base,
                      .fragment_usc_base = traits_.usc_exec_base,
                      .vertex_helper = helper_program(in.vertex_helper),
                      .fragment_helper = helper_program(in.fragment_helper),
                      .isp_scissor_base = in.isp_scissor_base,
                      .isp_dbias_base = in.isp_dbias_base,
                      .isp_oclqry_base = in.isp_oclqry_base,
                      .depth = zls_buffers(in.depth),
                      .stencil = zls_buffers(in.stencil),
                      .zls_ctrl = in.zls_ctrl,
                      .ppp_multisamplectl = in.ppp_multisamplectl,
                      .vertex_sampler_heap = in.sampler_heap,
                      .fragment_sampler_heap = in.sampler_heap,
                      .vertex_sampler_count = in.sampler_count,
                      .fragment_sampler_count = in.sampler_count,
                      .isp_zls_pixels = in.isp_zls_pixels,
                      .ppp_ctrl = in.ppp_ctrl,
                      .width_px = in.width_px,
                      .height_px = in.height_px,
                      .layers = in.layers,
                      .samples = in.samples,
                      .utile_width_px = in.utile_width_px,
                      .utile_height_px = in.utile_height_px,
                      .sample_size_B = in.sample_size_B,
                      .isp_merge_upper_x = in.isp_merge_upper_x,
                      .isp_merge_upper_y = in.isp_merge_upper_y,
                      .bg = tile_program(in.bg),
                      .eot = tile_program(in.eot),
                      .partial_bg = tile_program(in.partial_bg),
                      .partial_eot = tile_program(in.partial_eot),
                      .isp_bgobjdepth = in.isp_bgobjdepth,
                      .isp_bgobjvals = in.isp_bgobjvals,
                      .vertex_attachments = vertex_,
                      .fragment_attachments = fragment_});
    const uint32_t tile_B = r.utile_width_px * r.utile_height_px * r.samples * r.sample_size_B;
    r.tib_blocks = (tile_B + kTileBlock_B - 1) / kTileBlock_B;
    return check_sizes(r);
}

int Parser::parse_compute(const uint8_t* payload, size_t size_B, Command* out) {
    drm_asahi_cmd_compute in;
    if (const int error = read_payload(payload, size_B, &in)) return error;
    if (in.flags) return -EINVAL;
    if (const int error = read_timestamps(file_, in.ts, &out->parts[0])) return error;
    out->registers = ComputeCommand{.cdm_ctrl_stream_base = in.cdm_ctrl_stream_base,
                                    .cdm_ctrl_stream_end = in.cdm_ctrl_stream_end,
                                    .usc_base = traits_.usc_exec_base,
                                    .sampler_heap = in.sampler_heap,
                                    .sampler_count = in.sampler_count,
                                    .helper = helper_program(in.helper),
                                    .attachments = compute_};
    return 0;
}

int Parser::parse(const drm_asahi_cmd_header& header, const uint8_t* payload) {
    auto command = std::make_shared<Command>();
    const uint16_t barriers[2] = {header.vdm_barrier, header.cdm_barrier};
    const bool works = header.cmd_type == uapi::kAsahiCmdRender || header.cmd_type == uapi::kAsahiCmdCompute;
    for (const auto subqueue : {Subqueue::Vdm, Subqueue::Cdm}) {
        const auto s = static_cast<size_t>(subqueue);
        if (barriers[s] == uapi::kAsahiBarrierNone) continue;
        command->barriers[s] = barriers[s];
        if (!works || !is_barrier(barriers[s], subqueue, commands)) return -EINVAL;
    }
    int error;
    switch (header.cmd_type) {
        case uapi::kAsahiCmdRender:
            error = parse_render(payload, header.size, command.get());
            break;
        case uapi::kAsahiCmdCompute:
            error = parse_compute(payload, header.size, command.get());
            break;
        case uapi::kAsahiSetVertexAttachments:
            return read_attachments(payload, header.size, &vertex_);
        case uapi::kAsahiSetFragmentAttachments:
            return read_attachments(payload, header.size, &fragment_);
        case uapi::kAsahiSetComputeAttachments:
            return read_attachments(payload, header.size, &compute_);
        default:
            return -EINVAL;
    }
    if (!error) commands.push_back(std::move(command));
    return error;
}

int Parser::run() {
    if (const int error = count()) return error;
    return for_each_command(bytes_, [&](const drm_asahi_cmd_header& header, const uint8_t* payload) {
        return parse(header, payload);
    });
}

int ioctls::submit(File& file, void* data) {
    const auto* args = static_cast<uapi::drm_asahi_submit*>(data);
    AsahiFile& asahi = own(file);
    if (args->flags || args->pad) return -EINVAL;
    const auto queue = asahi.queues.find(args->queue_id);
    if (!queue) return -ENOENT;
    SyncList syncs(file);
    const uint64_t sync_count = uint64_t{args->in_sync_count} + args->out_sync_count;
    if (sync_count > kMaxKernelAllocation_B / kSync_B) return -ENOMEM;
    if (const int error =
            for_each_struct<uapi::drm_asahi_sync>(file.user, args->syncs, static_cast<uint32_t>(sync_count),
                                                  [&](const uapi::drm_asahi_sync& sync, uint32_t i) {
                                                      return add_sync(syncs, sync, i >= args->in_sync_count);
                                                  }))
        return error;
    if (args->cmdbuf_size > kMaxKernelAllocation_B) return -ENOMEM;
    std::vector<uint8_t> bytes(args->cmdbuf_size);
    if (const int error = file.user.read(bytes.data(), args->cmdbuf, bytes.size())) return error;
    if (asahi.driver().crashed()) return -ENODEV;
    Parser parser(file, queue->traits, std::move(bytes));
    if (const int error = parser.run()) return error;
    return queue->submit(parser.commands, syncs);
}

}  // namespace terrazzo::winsys::virt::asahi
