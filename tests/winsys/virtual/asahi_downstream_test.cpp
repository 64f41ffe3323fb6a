// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The older interface of asahi, which Mesa 25.0 speaks: its own rules, and that it does the same.
#include "winsys/uapi/asahi_downstream.h"
#include <algorithm>

#include "tests/winsys/virtual/asahi_kernel.h"

using namespace terrazzo::test;
namespace old = terrazzo::uapi::asahi_downstream;

namespace {

/// Requests as Mesa sends them.
struct Older {
    explicit Older(bool gpu, terrazzo::winsys::virt::SchedulerOptions options = {}) : k(gpu, options, true) {
        old::drm_asahi_vm_create vm_args{0, kKernelStart, kKernelEnd, 0, 0};
        REQUIRE(k.ioctl(old::kVmCreate, &vm_args) == 0);
        vm = vm_args.vm_id;
        queue = create_queue(old::kQueueCaps);
        bo = create_bo(2 * kAgxPage);
        results = create_bo(kAgxPage);
        REQUIRE(bind({0, old::kBindOpBind, old::kBindRead | old::kBindWrite, bo, vm, 0, 2 * kAgxPage,
                      kObjectVa}) == 0);
        words = map<uint64_t>(bo, 2 * kAgxPage);
        result = map<uint8_t>(results, kAgxPage);
        done = k.syncobj();
    }
    ~Older() {
        munmap(words, 2 * kAgxPage);
        munmap(result, kAgxPage);
    }
    uint32_t create_queue(uint32_t caps) {
        old::drm_asahi_queue_create args{0, 0, vm, caps, 1, 0, 0};
        REQUIRE(k.ioctl(old::kQueueCreate, &args) == 0);
        return args.queue_id;
    }
    uint32_t create_bo(uint64_t size_B) {
        old::drm_asahi_gem_create args{0, size_B, kAsahiGemWriteback, 0, 0, 0};
        REQUIRE(k.ioctl(old::kGemCreate, &args) == 0);
        return args.handle;
    }
    int bind(old::drm_asahi_gem_bind args) { return k.ioctl(old::kGemBind, &args); }
    template <typename T>
    T* map(uint32_t handle, uint64_t size_B) {
        old::drm_asahi_gem_mmap_offset args{0, handle, 0, 0};
        REQUIRE(k.ioctl(old::kGemMmapOffset, &args) == 0);
        void* p = nullptr;
        REQUIRE(k.file->mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, args.offset, &p) == 0);
        return static_cast<T*>(p);
    }
    uint64_t program(const std::vector<Instr>& instrs) {
        const uint64_t va = kObjectVa + next;
        std::copy(instrs.begin(), instrs.end(), reinterpret_cast<Instr*>(words) + next / sizeof(Instr));
        next += (instrs.size() + 1) * sizeof(Instr);
        return va;
    }
    static old::drm_asahi_cmd_render render(uint64_t vertex_va = 0, uint64_t fragment_va = 0) {
        old::drm_asahi_cmd_render r{};
        r.fb_width = r.fb_height = 64;
        r.utile_width = r.utile_height = 32;
        r.samples = r.layers = 1;
        r.encoder_ptr = vertex_va;
        r.depth_bias_array = fragment_va;
        return r;
    }
    static old::drm_asahi_command command(const old::drm_asahi_cmd_render& r) {
        return {
            0, old::kCmdRender, 0, address_of(&r), sizeof r, 0, 0, {old::kBarrierNone, old::kBarrierNone}};
    }
    /// With the size that Mesa passes.
    static old::drm_asahi_command command(const old::drm_asahi_cmd_compute& c) {
        return {0,
                old::kCmdCompute,
                0,
                address_of(&c),
                sizeof c - 8,
                0,
                0,
                {old::kBarrierNone, old::kBarrierNone}};
    }
    int submit(const std::vector<old::drm_asahi_command>& commands, uint32_t result_handle = 0) {
        const old::drm_asahi_sync out{0, kAsahiSyncSyncobj, done, 0};
        old::drm_asahi_submit args{0,
                                   0,
                                   address_of(&out),
                                   address_of(commands.data()),
                                   0,
                                   queue,
                                   result_handle,
                                   0,
                                   1,
                                   static_cast<uint32_t>(commands.size())};
        return k.ioctl(old::kSubmit, &args);
    }
    int finish(const std::vector<old::drm_asahi_command>& commands, uint32_t result_handle = 0) {
        if (const int error = submit(commands, result_handle)) return error;
        REQUIRE(k.wait(done) == 0);
        return k.status(done);
    }
    template <typename T>
    T result_at(uint64_t offset_B) const {
        T r;
        memcpy(&r, result + offset_B, sizeof r);
        return r;
    }

    AsahiKernel k;
    uint32_t vm = 0, queue = 0, bo = 0, results = 0, done = 0;
    uint64_t* words = nullptr;
    uint8_t* result = nullptr;
    uint64_t next = 171 * sizeof(Instr);  // the first words are for gates and results
};

}  // namespace

TEST_CASE("asahi, older interface: parameters and time") {
    Older o(false);
    old::drm_asahi_params_global p{};
    old::drm_asahi_get_params args{0, 0, 0, address_of(&p), sizeof p};
    REQUIRE(o.k.ioctl(old::kGetParams, &args) == 0);
    CHECK(p.unstable_uabi_version == 0xdeadbeef);
    CHECK(p.feat_compat == (old::kFeatGettime | old::kFeatUserTimestamps));
    CHECK(p.feat_incompat == 0);
    CHECK(p.gpu_variant == 'G');
    CHECK(p.num_cores_total_active == 8);
    CHECK(p.num_frags_per_cluster == 8);
    CHECK(p.num_gps_per_cluster == 4);
    CHECK(p.vm_page_size == kAgxPage);
    CHECK(p.vm_user_end == 0x7fffff8000);
    CHECK(p.timer_frequency_hz == 24'000'000);
    CHECK(p.result_render_size == sizeof(old::drm_asahi_result_render));
    CHECK(p.user_timestamp_frequency_hz == 1'000'000'000);
    args.extensions = 1;
    CHECK(o.k.ioctl(old::kGetParams, &args) == -EINVAL);
    old::drm_asahi_get_time time{0, 0, 0};
    REQUIRE(o.k.ioctl(old::kGetTime, &time) == 0);
    CHECK(time.gpu_timestamp <= terrazzo::winsys::monotonic_ticks(24'000'000));
    CHECK(time.gpu_timestamp > 0);
    time.extensions = 1;
    CHECK(o.k.ioctl(old::kGetTime, &time) == -EINVAL);
}

TEST_CASE("asahi, older interface: binds") {
    Older o(true);
    const uint32_t data = o.create_bo(kAgxPage);
    constexpr uint64_t kVa = kObjectVa + (1 << 20);
    const uint64_t store = o.program({{Op::Store, kVa, 7}});
    old::drm_asahi_cmd_compute c{};
    c.encoder_ptr = store;
    const auto map = [&](uint32_t flags) {
        return o.bind({0, old::kBindOpBind, flags, data, o.vm, 0, kAgxPage, kVa});
    };
    CHECK(map(old::kBindRead | old::kBindWrite) == 0);
    CHECK(o.finish({o.command(c)}) == 1);
    CHECK(map(old::kBindRead) == 0);
    CHECK(o.finish({o.command(c)}) == -EIO);
    CHECK(map(old::kBindWrite) == 0);
    CHECK(o.finish({o.command(c)}) == 1);
    CHECK(map(0) == -EINVAL);
    CHECK(map(4) == -EINVAL);
    CHECK(o.bind({1, old::kBindOpBind, old::kBindRead, data, o.vm, 0, kAgxPage, kVa}) == -EINVAL);
    CHECK(o.bind({0, 3, 0, data, o.vm, 0, kAgxPage, kVa}) == -EINVAL);
    CHECK(o.bind({0, old::kBindOpUnbind, 1, 0, o.vm, 0, kAgxPage, kVa}) == -EINVAL);
    CHECK(o.bind({0, old::kBindOpUnbind, 0, data, o.vm, 0, kAgxPage, kVa}) == -EINVAL);
    CHECK(o.bind({0, old::kBindOpUnbind, 0, 0, o.vm, 0, kAgxPage, kVa}) == 0);
    CHECK(o.finish({o.command(c)}) == -EIO);
    CHECK(map(old::kBindWrite) == 0);
    CHECK(o.bind({0, old::kBindOpUnbindAll, 0, data, o.vm, 0, kAgxPage, 0}) == -EINVAL);
    CHECK(o.bind({0, old::kBindOpUnbindAll, 0, 99, o.vm, 0, 0, 0}) == -ENOENT);
    CHECK(o.bind({0, old::kBindOpUnbindAll, 0, data, 99, 0, 0, 0}) == -ENOENT);
    CHECK(o.bind({0, old::kBindOpUnbindAll, 0, data, o.vm, 0, 0, 0}) == 0);
    CHECK(o.finish({o.command(c)}) == -EIO);
    CHECK(map(old::kBindWrite) == 0);
    CHECK(o.bind({0, old::kBindOpUnbindAll, 0, data, 0, 0, 0, 0}) == 0);
    CHECK(o.finish({o.command(c)}) == -EIO);
}

TEST_CASE("asahi, older interface: what each request refuses") {
    Older o(false);
    old::drm_asahi_vm_create vm{1, kKernelStart, kKernelEnd, 0, 0};
    CHECK(o.k.ioctl(old::kVmCreate, &vm) == -EINVAL);
    old::drm_asahi_vm_destroy vm_destroy{1, 1, 0};
    CHECK(o.k.ioctl(old::kVmDestroy, &vm_destroy) == -EINVAL);
    old::drm_asahi_gem_create bo{1, 4096, 0, 0, 0, 0};
    CHECK(o.k.ioctl(old::kGemCreate, &bo) == -EINVAL);
    old::drm_asahi_gem_mmap_offset offset{1, o.bo, 0, 0};
    CHECK(o.k.ioctl(old::kGemMmapOffset, &offset) == -EINVAL);
    old::drm_asahi_gem_bind_object object{1, 0, kAsahiBindObjectUsageTimestamps, o.bo, 0, 0, kAgxPage, 0, 0};
    CHECK(o.k.ioctl(old::kGemBindObject, &object) == -EINVAL);
    old::drm_asahi_queue_destroy queue_destroy{1, 1, 0};
    CHECK(o.k.ioctl(old::kQueueDestroy, &queue_destroy) == -EINVAL);
    const auto queue = [&](uint64_t extensions, uint32_t flags, uint32_t caps, uint32_t priority) {
        old::drm_asahi_queue_create args{extensions, flags, o.vm, caps, priority, 0, 0};
        return o.k.ioctl(old::kQueueCreate, &args);
    };
    CHECK(queue(0, 0, old::kQueueCaps, 0) == 0);
    CHECK(queue(0, 0, old::kQueueCaps, 3) == 0);
    CHECK(queue(0, 0, old::kQueueCaps, 4) == -EINVAL);
    CHECK(queue(0, 0, 0, 1) == -EINVAL);
    CHECK(queue(0, 0, 8, 1) == -EINVAL);
    CHECK(queue(0, 1, 1, 1) == -EINVAL);
    CHECK(queue(1, 0, 1, 1) == -EINVAL);
    queue_destroy = {0, 2, 0};
    CHECK(o.k.ioctl(old::kQueueDestroy, &queue_destroy) == 0);
    CHECK(o.k.ioctl(old::kQueueDestroy, &queue_destroy) == -ENOENT);
}

TEST_CASE("asahi, older interface: rules of a submit") {
    Older o(false);
    const auto r = o.render();
    old::drm_asahi_cmd_compute c{};
    const auto good = o.command(r);
    CHECK(o.submit({good, o.command(c)}) == 0);
    CHECK(o.submit({}) == -EINVAL);
    CHECK(o.k.wait(o.done) == 0);
    CHECK(o.submit(std::vector(65, good)) == -EINVAL);
    const auto changed = [&](auto&& change) {
        auto command = good;
        change(command);
        return o.submit({command});
    };
    CHECK(changed([](auto& x) { x.extensions = 1; }) == -EINVAL);
    CHECK(changed([](auto& x) { x.flags = 1; }) == -EINVAL);
    CHECK(changed([](auto& x) { x.cmd_type = old::kCmdBlit; }) == -EINVAL);
    CHECK(changed([](auto& x) { x.cmd_buffer = 16; }) == -EFAULT);
    CHECK(changed([](auto& x) { x.cmd_buffer_size--; }) == -EINVAL);
    CHECK(changed([](auto& x) { x.barriers[0] = 0; }) == 0);
    CHECK(changed([](auto& x) { x.barriers[0] = 1; }) == -EINVAL);
    CHECK(changed([](auto& x) { x.barriers[1] = 1; }) == -EINVAL);
    CHECK(changed([](auto& x) { x.result_size = 8; }) == -EINVAL);  // without an object for results
    auto bad = r;
    const auto refused = [&] {
        const int error = o.submit({o.command(bad)});
        bad = r;
        return error;
    };
    bad.flags = 128;
    CHECK(refused() == -EINVAL);
    bad.fb_width = 0;
    CHECK(refused() == -EINVAL);
    bad.layers = 0;
    CHECK(refused() == -EINVAL);
    bad.fragment_attachment_count = 17;
    CHECK(refused() == -EINVAL);
    bad.vertex_attachment_count = 1;
    CHECK(refused() == -EFAULT);
    bad.extensions = 16;
    CHECK(refused() == -EFAULT);
    c.flags = 2;
    CHECK(o.submit({o.command(c)}) == -EINVAL);
    c.flags = 0;
    auto result = good;
    result.result_offset = kAgxPage - 8;
    result.result_size = 9;
    CHECK(o.submit({result}, o.results) == -EINVAL);
    result.result_offset = UINT64_MAX;
    CHECK(o.submit({result}, o.results) == -EINVAL);
    CHECK(o.submit({good}, 99) == -ENOENT);
    // A queue without the capability.
    o.queue = o.create_queue(old::kQueueCapCompute);
    CHECK(o.submit({good}) == -EINVAL);
    CHECK(o.submit({o.command(c)}) == 0);
    o.queue = o.create_queue(old::kQueueCapRender);
    CHECK(o.submit({o.command(c)}) == -EINVAL);
    CHECK(o.submit({good}) == 0);
    o.queue = 99;
    CHECK(o.submit({good}) == -ENOENT);
}

TEST_CASE("asahi, older interface: registers, order and results") {
    Older o(true);
    old::drm_asahi_attachment attachments[2] = {{0x1000, 100, 1, 0}, {0x2000, 200, 2, 0}};
    old::drm_asahi_cmd_compute c{};
    c.encoder_ptr = o.program({{Op::Log, 1, 0}});
    c.encoder_end = 2;
    c.usc_base = 3;
    c.helper_program = 4;
    c.helper_cfg = 5;
    c.helper_arg = 6;
    c.sampler_array = 7;
    c.sampler_count = 8;
    c.attachments = address_of(attachments);
    c.attachment_count = 1;
    auto r = o.render(o.program({{Op::Log, 2, 0}}), o.program({{Op::Log, 3, 0}}));
    r.flags = old::kRenderVertexSpills | old::kRenderProcessEmptyTiles | old::kRenderMsaaZs;
    r.vertex_usc_base = 10;
    r.fragment_usc_base = 11;
    r.depth_buffer = {12, 13, 14, 15, 16, 17};
    r.stencil_meta_buffer = {18, 19, 20, 21, 22, 23};
    r.vertex_sampler_array = 24;
    r.fragment_sampler_count = 25;
    r.tib_blocks = 26;
    r.iogpu_unk_214 = 0x4c000;
    r.load_pipeline = 27;
    r.partial_store_pipeline_bind = 28;
    r.depth_dimensions = 29;
    r.fragment_attachments = address_of(attachments);
    r.fragment_attachment_count = 2;
    const uint32_t times_bo = o.create_bo(kAgxPage);
    old::drm_asahi_gem_bind_object object{0, 0, kAsahiBindObjectUsageTimestamps, times_bo, 0, 0, kAgxPage,
                                          0, 0};
    REQUIRE(o.k.ioctl(old::kGemBindObject, &object) == 0);
    old::drm_asahi_cmd_render_user_timestamps times{};
    times.type = old::kExtTimestamps;
    times.frg_end_handle = object.object_handle;
    times.frg_end_offset = 64;
    r.extensions = address_of(&times);

    auto first = o.command(c), second = o.command(r);
    first.barriers[0] = first.barriers[1] = 0;
    first.result_size = sizeof(old::drm_asahi_result_render);  // a union, as Mesa's
    second.barriers[1] = 1;
    second.result_offset = 512;
    second.result_size = sizeof(old::drm_asahi_result_render);
    REQUIRE(o.finish({first, second}, o.results) == 1);
    CHECK(o.k.log.get() == std::vector<uint64_t>{1, 2, 3});

    const auto& gc = o.k.log.compute.at(0);
    CHECK(gc.cdm_ctrl_stream_end == 2);
    CHECK(gc.usc_base == 3);
    CHECK(gc.helper.cfg == 5);
    CHECK(gc.helper.data == 6);
    CHECK(gc.sampler_heap == 7);
    CHECK(gc.sampler_count == 8);
    CHECK(gc.attachments.count == 1);
    const auto& gr = o.k.log.fragment.at(0);
    CHECK(gr.flags == (kAsahiRenderVertexScratch | kAsahiRenderProcessEmptyTiles));
    CHECK(gr.isp_ctl == 0x4c000);
    CHECK(gr.vertex_usc_base == 10);
    CHECK(gr.fragment_usc_base == 11);
    CHECK(gr.depth.load.base == 12);
    CHECK(gr.depth.store.stride == 15);
    CHECK(gr.stencil.partial.comp_base == 22);
    CHECK(gr.vertex_sampler_heap == 24);
    CHECK(gr.fragment_sampler_count == 25);
    CHECK(gr.tib_blocks == 26);
    CHECK(gr.bg.usc == 27);
    CHECK(gr.partial_eot.rsrc_spec == 28);
    CHECK(gr.isp_zls_pixels == 29);
    CHECK(gr.fragment_attachments.list[1].size_B == 200);

    const auto compute_result = o.result_at<old::drm_asahi_result_compute>(0);
    CHECK(compute_result.info.status == old::kStatusComplete);
    CHECK(compute_result.ts_start <= compute_result.ts_end);
    CHECK(compute_result.ts_start > 0);
    const auto render_result = o.result_at<old::drm_asahi_result_render>(512);
    CHECK(render_result.info.status == old::kStatusComplete);
    CHECK(render_result.info.fault_type == old::kFaultNone);
    CHECK(render_result.vertex_ts_start >= compute_result.ts_end);
    CHECK(render_result.vertex_ts_end >= render_result.vertex_ts_start);
    CHECK(render_result.fragment_ts_start >= render_result.vertex_ts_end);
    CHECK(render_result.fragment_ts_end <= terrazzo::winsys::monotonic_ticks(24'000'000));
    auto* ns = o.map<uint64_t>(times_bo, kAgxPage);
    CHECK(terrazzo::winsys::monotonic_ns() >= ns[8]);
    CHECK(ns[8] / 1000 >= render_result.fragment_ts_start / 24);
    munmap(ns, kAgxPage);
    times.next = 1;
    CHECK(o.submit({o.command(r)}) == -EINVAL);
}

TEST_CASE("asahi, older interface: results of failed commands") {
    terrazzo::winsys::virt::SchedulerOptions options;
    options.run_timeout_ns = options.blocked_timeout_ns = 20'000'000;
    Older o(true, options);
    const auto run = [&](const old::drm_asahi_cmd_render& r) {
        auto command = o.command(r);
        command.result_size = sizeof(old::drm_asahi_result_render);
        const int status = o.finish({command}, o.results);
        const auto info = o.result_at<old::drm_asahi_result_render>(0).info;
        CHECK((status == 1) == (info.status == old::kStatusComplete));
        return info;
    };
    const uint64_t good = o.program({});
    auto info = run(o.render(o.program({{Op::Store, 0x12345678, 1}}), good));
    CHECK(info.status == old::kStatusFault);
    CHECK(info.fault_type == old::kFaultUnmapped);
    CHECK(info.address == 0x12345600);
    info = run(o.render(good, o.program({{Op::Fault, 0, 0}})));
    CHECK(info.status == old::kStatusFault);
    CHECK(info.fault_type == old::kFaultUnknown);
    info = run(o.render(good, o.program({{Op::Spin, 0, 0}})));
    CHECK(info.status == old::kStatusTimeout);
    info = run(o.render(good, good));
    CHECK(info.status == old::kStatusComplete);
    info = run(o.render(o.program({{Op::Fatal, 0, 0}}), good));
    CHECK(info.status == old::kStatusNoDevice);
    CHECK(o.submit({}) == -ENODEV);
}
