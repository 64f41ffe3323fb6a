// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The older interface: its requests become calls of the same functions. What it has besides: bits that the
// firmware needs and that the kernel of Linux 6.16 chooses itself (they do not reach the GPU), command
// structs at user pointers, and a buffer for results.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "winsys/clock.h"
#include "winsys/uapi/asahi_downstream.h"
#include "winsys/virtual/asahi/driver.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/files/user_arrays.h"

namespace terrazzo::winsys::virt::asahi {
namespace {

namespace old = uapi::asahi_downstream;

constexpr uint32_t kLowestPriority = 3, kMaxInFlight = 1024;
constexpr uint64_t kSync_B = 32;  // in the kernel's memory

int get_params(File& file, void* data) {
    const auto* args = static_cast<old::drm_asahi_get_params*>(data);
    const Driver& driver = own(file).driver();
    if (args->extensions || args->param_group || args->pad) return -EINVAL;
    if (driver.crashed()) return -ENODEV;
    const GpuInfo& info = driver.info();
    old::drm_asahi_params_global p{};
    p.unstable_uabi_version = old::kVersion;
    p.feat_compat =
        old::kFeatGettime | old::kFeatUserTimestamps | (info.soft_faults ? old::kFeatSoftFaults : 0);
    p.gpu_generation = info.generation;
    p.gpu_variant = info.variant;
    p.gpu_revision = info.revision;
    p.chip_id = info.chip_id;
    p.num_dies = info.dies;
    p.num_clusters_total = info.clusters;
    p.num_cores_per_cluster = info.cores_per_cluster;
    p.num_frags_per_cluster = info.frags_per_cluster;
    p.num_gps_per_cluster = info.gps_per_cluster;
    p.num_cores_total_active = info.clusters * static_cast<uint32_t>(std::popcount(info.core_mask));
    std::fill_n(p.core_masks, info.clusters, info.core_mask);
    p.vm_page_size = kGpuPage_B;
    p.vm_user_start = kVmStart;
    p.vm_user_end = kVmEnd;
    p.vm_kernel_min_size = kVmKernelMinSize_B;
    p.max_commands_per_submission = kMaxCommands;
    p.max_commands_in_flight = kMaxInFlight;
    p.max_attachments = kMaxAttachments;
    p.timer_frequency_hz = static_cast<uint32_t>(info.timer_hz);
    p.min_frequency_khz = p.max_frequency_khz = info.max_frequency_khz;
    p.result_render_size = sizeof(old::drm_asahi_result_render);
    p.result_compute_size = sizeof(old::drm_asahi_result_compute);
    p.user_timestamp_frequency_hz = kNsPerSecond;
    return file.user.write(args->pointer, &p, std::min<uint64_t>(args->size, sizeof p));
}

int get_time(File& file, void* data) {
    auto* args = static_cast<old::drm_asahi_get_time*>(data);
    if (args->extensions || args->flags) return -EINVAL;
    args->gpu_timestamp = monotonic_ticks(own(file).driver().info().timer_hz);
    return 0;
}

/// A request that differs from the newer one only by the pointer before its struct.
template <int (*run)(File&, void*)>
int without_extensions(File& file, void* data) {
    auto* const extensions = static_cast<uint64_t*>(data);
    return *extensions ? -EINVAL : run(file, extensions + 1);
}

int unbind_all(File& file, const old::drm_asahi_gem_bind& args) {
    if (args.flags || args.offset || args.range || args.addr) return -EINVAL;
    const auto bo = file.objects.find(args.handle);
    if (!bo) return -ENOENT;
    if (!args.vm_id) {
        own(file).object_closed(bo);
        return 0;
    }
    const auto vm = own(file).vms.find(args.vm_id);
    if (!vm) return -ENOENT;
    vm->space.unmap_object(*bo);
    return 0;
}

int gem_bind(File& file, void* data) {
    const auto* args = static_cast<old::drm_asahi_gem_bind*>(data);
    if (args->extensions) return -EINVAL;
    uapi::drm_asahi_gem_bind_op op{uapi::kAsahiBindUnbind, args->handle, args->offset, args->range,
                                   args->addr};
    switch (args->op) {
        case old::kBindOpBind:
            if (args->flags & ~(old::kBindRead | old::kBindWrite)) return -EINVAL;
            op.flags = (args->flags & old::kBindRead ? uapi::kAsahiBindRead : 0) |
                       (args->flags & old::kBindWrite ? uapi::kAsahiBindWrite : 0);
            return bind(file, args->vm_id, op);
        case old::kBindOpUnbind:
            return args->flags ? -EINVAL : bind(file, args->vm_id, op);
        case old::kBindOpUnbindAll:
            return unbind_all(file, *args);
        default:
            return -EINVAL;
    }
}

int queue_create(File& file, void* data) {
    auto* args = static_cast<old::drm_asahi_queue_create*>(data);
    if (args->extensions || args->flags || args->priority > kLowestPriority || !args->queue_caps ||
        (args->queue_caps & ~old::kQueueCaps))
        return -EINVAL;
    const QueueTraits traits{static_cast<uint8_t>(kLowestPriority - args->priority),
                             (args->queue_caps & old::kQueueCapRender) != 0,
                             (args->queue_caps & old::kQueueCapCompute) != 0, 0};
    return create_queue(file, args->vm_id, traits, &args->queue_id);
}

uint32_t status_of(int error) {
    switch (error) {
        case 0:
            return old::kStatusComplete;
        case -ETIMEDOUT:
            return old::kStatusTimeout;
        case -EIO:
            return old::kStatusFault;
        case -ENODEV:
            return old::kStatusNoDevice;
        default:
            return old::kStatusKilled;
    }
}

uint32_t fault_of(Exception exception) {
    switch (exception) {
        case Exception::None:
            return old::kFaultNone;
        case Exception::Unmapped:
            return old::kFaultUnmapped;
        case Exception::ReadOnly:
            return old::kFaultReadOnly;
        case Exception::WriteOnly:
            return old::kFaultWriteOnly;
        case Exception::BadCommand:
        case Exception::ShaderFault:
        case Exception::OutOfMemory:
            return old::kFaultUnknown;
    }
    __builtin_trap();
}

/// The part that failed, or the last one.
const Part& telling_part(const Command& command) {
    return command.is_render() && !command.parts[0].done->error() ? command.parts[1] : command.parts[0];
}

old::drm_asahi_result_info result_info(const Command& command) {
    const Part& part = telling_part(command);
    old::drm_asahi_result_info info{};
    info.status = status_of(part.done->error());
    info.fault_type = fault_of(part.exception);
    info.is_read = part.exception == Exception::WriteOnly;
    info.address = part.address & ~uint64_t{127};
    return info;
}

/// Where the result of a command goes.
struct ResultPlace {
    std::shared_ptr<BufferObject> bo;
    uint64_t offset_B, size_B, timer_hz;

    void write(const Command& command) const {
        const auto ticks = [&](uint64_t ns) {
            return static_cast<uint64_t>(static_cast<unsigned __int128>(ns) * timer_hz / kNsPerSecond);
        };
        const Part &first = command.parts[0], &second = command.parts[1];
        if (command.is_render()) {
            old::drm_asahi_result_render r{};
            r.info = result_info(command);
            r.vertex_ts_start = ticks(first.start_ns);
            r.vertex_ts_end = ticks(first.end_ns);
            r.fragment_ts_start = ticks(second.start_ns);
            r.fragment_ts_end = ticks(second.end_ns);
            memcpy(bo->host() + offset_B, &r, std::min<uint64_t>(size_B, sizeof r));
        } else {
            old::drm_asahi_result_compute r{};
            r.info = result_info(command);
            r.ts_start = ticks(first.start_ns);
            r.ts_end = ticks(first.end_ns);
            memcpy(bo->host() + offset_B, &r, std::min<uint64_t>(size_B, sizeof r));
        }
    }
};

/// One submit.
class Request {
  public:
    Request(File& file, const old::drm_asahi_submit& args) : file_(file), args_(args), syncs_(file) {}
    int run();

  private:
    int read_syncs(uint64_t address, uint32_t count, bool signals);
    int add_command(const old::drm_asahi_command& in);
    int add_result(const old::drm_asahi_command& in, Command* command);
    int read_render(const old::drm_asahi_command& in, Command* command);
    int read_compute(const old::drm_asahi_command& in, Command* command);
    int read_attachments(uint64_t address, uint32_t count, Attachments* out);
    template <typename T>
    int read_timestamps(uint64_t address, T* out);
    int find_times(const uint32_t* handles_and_offsets, Part* part);

    File& file_;
    const old::drm_asahi_submit& args_;
    SyncList syncs_;
    std::shared_ptr<Group> queue_;
    std::shared_ptr<BufferObject> results_;
    Commands commands_;
};

int Request::read_syncs(uint64_t address, uint32_t count, bool signals) {
    if (count > kMaxKernelAllocation_B / kSync_B) return -ENOMEM;
    return for_each_struct<old::drm_asahi_sync>(file_.user, address, count,
                                                [&](const old::drm_asahi_sync& sync, uint32_t) {
                                                    if (sync.extensions) return -EINVAL;
                                                    return add_sync(syncs_, sync, signals);
                                                });
}

int Request::read_attachments(uint64_t address, uint32_t count, Attachments* out) {
    if (count > kMaxAttachments) return -EINVAL;
    return for_each_struct<old::drm_asahi_attachment>(
        file_.user, address, count, [&](const old::drm_asahi_attachment& one, uint32_t) {
            return one.flags ? -EINVAL : add_attachment(one.pointer, one.size, out);
        });
}

/// Reads a command's only extension, if it has one.
template <typename T>
int Request::read_timestamps(uint64_t address, T* out) {
    *out = {};
    if (!address) return 0;
    if (const int error = file_.user.read(out, address, sizeof *out)) return error;
    return out->type != old::kExtTimestamps || out->pad || out->next ? -EINVAL : 0;
}

/// `h`: handle and offset of the start, and of the end.
int Request::find_times(const uint32_t* h, Part* part) {
    if (const int error = find_timestamp(file_, {h[0], h[1]}, &part->start)) return error;
    return find_timestamp(file_, {h[2], h[3]}, &part->end);
}

ZlsBuffers zls_buffers(const old::zls_addresses& b, const old::zls_addresses& meta) {
    return {{b.load, b.load_stride, meta.load, meta.load_stride},
            {b.store, b.store_stride, meta.store, meta.store_stride},
            {b.partial, b.partial_stride, meta.partial, meta.partial_stride}};
}

int Request::read_render(const old::drm_asahi_command& in_command, Command* command) {
    old::drm_asahi_cmd_render in{};
    old::drm_asahi_cmd_render_user_timestamps times;
    if (in_command.cmd_buffer_size < sizeof in || !queue_->traits.renders) return -EINVAL;
    if (const int error = file_.user.read(&in, in_command.cmd_buffer, sizeof in)) return error;
    if (in.flags & ~old::kRenderFlags) return -EINVAL;
    if (const int error = check_size_px(in.fb_width, in.fb_height)) return error;
    if (const int error = read_timestamps(in.extensions, &times)) return error;
    if (const int error = find_times(&times.vtx_start_handle, &command->parts[0])) return error;
    if (const int error = find_times(&times.frg_start_handle, &command->parts[1])) return error;
    auto& r = command->registers.emplace<RenderCommand>(RenderCommand{
        .flags = (in.flags & old::kRenderVertexSpills ? uapi::kAsahiRenderVertexScratch : 0) |
                 (in.flags & old::kRenderProcessEmptyTiles ? uapi::kAsahiRenderProcessEmptyTiles : 0) |
                 (in.flags & old::kRenderNoVertexClustering ? uapi::kAsahiRenderNoVertexClustering : 0),
        .isp_ctl = in.iogpu_unk_214,
        .vdm_ctrl_stream_base = in.encoder_ptr,
        .vertex_usc_base = in.vertex_usc_base,
        .fragment_usc_base = in.fragment_usc_base,
        .vertex_helper = {in.vertex_helper_program, in.vertex_helper_cfg, in.vertex_helper_arg},
        .fragment_helper = {in.fragment_helper_program, in.fragment_helper_cfg, in.fragment_helper_arg},
        .isp_scissor_base = in.scissor_array,
        .isp_dbias_base = in.depth_bias_array,
        .isp_oclqry_base = in.visibility_result_buffer,
        .depth = zls_buffers(in.depth_buffer, in.depth_meta_buffer),
        .stencil = zls_buffers(in.stencil_buffer, in.stencil_meta_buffer),
        .zls_ctrl = in.zls_ctrl,
        .ppp_multisamplectl = in.ppp_multisamplectl,
        .vertex_sampler_heap = in.vertex_sampler_array,
        .fragment_sampler_heap = in.fragment_sampler_array,
        .vertex_sampler_count = in.vertex_sampler_count,
        .fragment_sampler_count = in.fragment_sampler_count,
        .isp_zls_pixels = in.depth_dimensions,
        .ppp_ctrl = in.ppp_ctrl,
        .width_px = in.fb_width,
        .height_px = in.fb_height,
        .layers = in.layers,
        .samples = in.samples,
        .utile_width_px = in.utile_width,
        .utile_height_px = in.utile_height,
        .sample_size_B = in.sample_size,
        .tib_blocks = in.tib_blocks,
        .isp_merge_upper_x = in.merge_upper_x,
        .isp_merge_upper_y = in.merge_upper_y,
        .bg = {in.load_pipeline, in.load_pipeline_bind},
        .eot = {in.store_pipeline, in.store_pipeline_bind},
        .partial_bg = {in.partial_reload_pipeline, in.partial_reload_pipeline_bind},
        .partial_eot = {in.partial_store_pipeline, in.partial_store_pipeline_bind},
        .isp_bgobjdepth = in.isp_bgobjdepth,
        .isp_bgobjvals = in.isp_bgobjvals});
    if (const int error = check_sizes(r)) return error;
    if (const int error =
            read_attachments(in.vertex_attachments, in.vertex_attachment_count, &r.vertex_attachments))
        return error;
    return read_attachments(in.fragment_attachments, in.fragment_attachment_count, &r.fragment_attachments);
}

/// Without its last 8 bytes the struct is the one of kernels that did not have the first field yet; Mesa
/// passes the new one with the old size.
int Request::read_compute(const old::drm_asahi_command& in_command, Command* command) {
    old::drm_asahi_cmd_compute in{};
    old::drm_asahi_cmd_compute_user_timestamps times;
    if (in_command.cmd_buffer_size < sizeof in - 8 || !queue_->traits.computes) return -EINVAL;
    if (const int error = file_.user.read(&in, in_command.cmd_buffer, sizeof in)) return error;
    if (in.flags & ~old::kComputeNoPreemption) return -EINVAL;
    if (const int error = read_timestamps(in.extensions, &times)) return error;
    if (const int error = find_times(&times.start_handle, &command->parts[0])) return error;
    auto& r = command->registers.emplace<ComputeCommand>();
    r.cdm_ctrl_stream_base = in.encoder_ptr;
    r.cdm_ctrl_stream_end = in.encoder_end;
    r.usc_base = in.usc_base;
    r.sampler_heap = in.sampler_array;
    r.sampler_count = in.sampler_count;
    r.helper = {in.helper_program, in.helper_cfg, in.helper_arg};
    return read_attachments(in.attachments, in.attachment_count, &r.attachments);
}

int Request::add_result(const old::drm_asahi_command& in, Command* command) {
    if (!results_) return in.result_offset || in.result_size ? -EINVAL : 0;
    if (!in.result_size) return 0;
    if (in.result_offset + in.result_size < in.result_offset ||
        in.result_offset + in.result_size > results_->size_B())
        return -EINVAL;
    const ResultPlace place{results_, in.result_offset, in.result_size, own(file_).driver().info().timer_hz};
    command->on_end = [place](const Command& ended) { place.write(ended); };
    return 0;
}

int Request::add_command(const old::drm_asahi_command& in) {
    auto command = std::make_shared<Command>();
    if (in.extensions || in.flags) return -EINVAL;
    for (const auto subqueue : {Subqueue::Vdm, Subqueue::Cdm}) {
        const auto s = static_cast<size_t>(subqueue);
        if (!is_barrier(in.barriers[s], subqueue, commands_)) return -EINVAL;
        command->barriers[s] = in.barriers[s];
    }
    if (const int error = add_result(in, command.get())) return error;
    const int error =
        in.cmd_type == old::kCmdRender ? read_render(in, command.get()) : read_compute(in, command.get());
    if (!error) commands_.push_back(std::move(command));
    return error;
}

int Request::run() {
    AsahiFile& asahi = own(file_);
    if (args_.extensions || args_.flags || args_.command_count > kMaxCommands) return -EINVAL;
    queue_ = asahi.queues.find(args_.queue_id);
    if (!queue_) return -ENOENT;
    if (const int error = read_syncs(args_.in_syncs, args_.in_sync_count, false)) return error;
    if (const int error = read_syncs(args_.out_syncs, args_.out_sync_count, true)) return error;
    if (args_.result_handle) {
        results_ = file_.objects.find(args_.result_handle);
        if (!results_) return -ENOENT;
    }
    std::vector<old::drm_asahi_command> commands(args_.command_count);
    if (const int error =
            file_.user.read(commands.data(), args_.commands, commands.size() * sizeof commands[0]))
        return error;
    if (asahi.driver().crashed()) return -ENODEV;
    if (commands.empty()) return -EINVAL;
    for (const auto& command : commands)
        if (command.cmd_type != old::kCmdRender && command.cmd_type != old::kCmdCompute) return -EINVAL;
    for (const auto& command : commands)
        if (const int error = add_command(command)) return error;
    return queue_->submit(commands_, syncs_);
}

int submit(File& file, void* data) {
    return Request(file, *static_cast<old::drm_asahi_submit*>(data)).run();
}

constexpr uint8_t kAllow = kAuth | kRenderAllow;
constexpr IoctlDesc kIoctls[] = {
    {old::kGetParams, kRenderAllow, get_params},
    {old::kVmCreate, kAllow, without_extensions<ioctls::vm_create>},
    {old::kVmDestroy, kAllow, without_extensions<ioctls::vm_destroy>},
    {old::kGemCreate, kAllow, without_extensions<ioctls::gem_create>},
    {old::kGemMmapOffset, kAllow, without_extensions<ioctls::gem_mmap_offset>},
    {old::kGemBind, kAllow, gem_bind},
    {old::kQueueCreate, kAllow, queue_create},
    {old::kQueueDestroy, kAllow, without_extensions<ioctls::queue_destroy>},
    {old::kSubmit, kAllow, submit},
    {old::kGetTime, kAllow, get_time},
    {old::kGemBindObject, kAllow, without_extensions<ioctls::gem_bind_object>},
};
static_assert(sizeof kIoctls / sizeof kIoctls[0] == old::kIoctlCount);

}  // namespace

const IoctlDesc* find_downstream_ioctl(unsigned nr) {
    return nr < old::kIoctlCount ? &kIoctls[nr] : nullptr;
}

}  // namespace terrazzo::winsys::virt::asahi
