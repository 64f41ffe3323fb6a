// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An AGX, as asahi's virtual kernel sees it. jobs/gpu.h has the interface that it implements.
//
// There is no firmware. A group has the three queues of WorkQueue. A render is two submits, its vertex work
// and then its fragment work; a dispatch is one. The submit's only stream is the command: a RenderCommand or
// a ComputeCommand in memory that the kernel has mapped read-only in its own part of the VM, where a
// recording finds it, too. It has the values of the registers that the kernel sets before the work starts.
//
// A command keeps its order and its barriers without the GPU: when run() is called, all work that it waits
// for has ended. Registers do not survive a command. Fault ends the command with -EIO (its fragment work is
// not run after a fault in the vertex work), and later commands run. Fatal is a crash of the firmware: the
// device is lost. The exception is one of Exception.
#pragma once

#include "winsys/virtual/jobs/gpu.h"

namespace terrazzo::winsys::virt::asahi {

/// The queues of a group, by index.
enum class WorkQueue : uint32_t { Vertex, Fragment, Compute };
constexpr uint32_t kWorkQueues = 3;

constexpr uint64_t kGpuPage_B = 16 << 10;
constexpr uint32_t kMaxAttachments = 16;

struct HelperProgram {
    uint32_t binary, cfg;
    uint64_t data;
};
/// A background or end-of-tile program.
struct TileProgram {
    uint32_t usc, rsrc_spec;
};
/// A depth or stencil buffer, and the metadata of a compressed one.
struct ZlsBuffer {
    uint64_t base, stride, comp_base, comp_stride;
};
struct ZlsBuffers {
    ZlsBuffer load, store, partial;
};
/// Memory that shaders write. A hint.
struct Attachment {
    uint64_t va, size_B;
};
struct Attachments {
    uint32_t count, pad;
    Attachment list[kMaxAttachments];
};

/// The registers of a render. The names are those of include/uapi/drm/asahi_drm.h.
struct RenderCommand {
    uint32_t flags;    // uapi::kAsahiRender*, without kAsahiRenderDbiasIsInt
    uint32_t isp_ctl;  // has that flag's bit
    uint64_t vdm_ctrl_stream_base;
    uint64_t vertex_usc_base, fragment_usc_base;
    HelperProgram vertex_helper, fragment_helper;
    uint64_t isp_scissor_base, isp_dbias_base, isp_oclqry_base;
    ZlsBuffers depth, stencil;
    uint64_t zls_ctrl, ppp_multisamplectl;
    uint64_t vertex_sampler_heap, fragment_sampler_heap;
    uint32_t vertex_sampler_count, fragment_sampler_count;
    uint32_t isp_zls_pixels, ppp_ctrl;
    uint32_t width_px, height_px, layers, samples;
    uint32_t utile_width_px, utile_height_px, sample_size_B, tib_blocks;
    uint32_t isp_merge_upper_x, isp_merge_upper_y;
    TileProgram bg, eot, partial_bg, partial_eot;
    uint32_t isp_bgobjdepth, isp_bgobjvals;
    Attachments vertex_attachments, fragment_attachments;
};

/// The registers of a dispatch.
struct ComputeCommand {
    uint64_t cdm_ctrl_stream_base, cdm_ctrl_stream_end, usc_base, sampler_heap;
    uint32_t sampler_count, pad;
    HelperProgram helper;
    Attachments attachments;
};

/// A GPU as the kernel describes it to programs.
struct GpuInfo {
    uint32_t generation, variant;  // 13 and 'G'
    uint32_t revision;             // 0x11 for B1
    uint32_t chip_id;              // 0x8103 for T8103
    uint32_t dies, clusters, cores_per_cluster, frags_per_cluster, gps_per_cluster;
    uint64_t core_mask;  // of each cluster
    uint32_t max_frequency_khz;
    uint64_t timer_hz;
    /// Loads of unmapped memory by shaders are zero, and stores are dropped, instead of a fault.
    bool soft_faults;
};

/// RunResult::exception. Those of the MMU come with RunResult::address.
enum class Exception : uint32_t {
    None,
    Unmapped,
    ReadOnly,
    WriteOnly,
    BadCommand,   // a record of a control stream that cannot be carried out
    ShaderFault,  // an instruction
    OutOfMemory,  // the host is out of memory
};
/// For example "unmapped". Any number is allowed.
[[nodiscard]] const char* to_string(Exception exception);
/// The exception of a refused access.
[[nodiscard]] Exception exception_of(const MemoryFault& fault);

}  // namespace terrazzo::winsys::virt::asahi
