// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// asahi's submits: their rules, and how they run, wait and fail.
#include "tests/winsys/virtual/asahi_kernel.h"

using namespace terrazzo::test;
namespace asahi = terrazzo::winsys::virt::asahi;

namespace {

constexpr uint16_t kNone = kAsahiBarrierNone;
using Values = std::vector<uint64_t>;

}  // namespace

TEST_CASE("asahi: rules of a submit") {
    AsahiKernel k(false);
    AsahiProgram p(k);
    const CommandBuffer one = CommandBuffer().add(kAsahiCmdCompute, k.compute());
    const drm_asahi_submit good{
        0, address_of(one.bytes.data()), 0, p.queue, 0, 0, static_cast<uint32_t>(one.bytes.size()), 0};
    drm_asahi_submit args = good;
    const auto call = [&] {
        const int error = k.ioctl(kAsahiSubmit, &args);
        args = good;
        return error;
    };
    CHECK(call() == 0);
    args.flags = 1;
    args.queue_id = 99;
    CHECK(call() == -EINVAL);
    args.pad = 1;
    CHECK(call() == -EINVAL);
    args.queue_id = 99;
    args.in_sync_count = 1;
    CHECK(call() == -ENOENT);
    args.in_sync_count = 1;
    CHECK(call() == -EFAULT);
    args.in_sync_count = args.out_sync_count = UINT32_MAX;
    CHECK(call() == -ENOMEM);
    args.cmdbuf = 16;
    CHECK(call() == -EFAULT);
    args.cmdbuf_size = UINT32_MAX;
    CHECK(call() == -ENOMEM);
    args.cmdbuf_size = 0;
    CHECK(call() == -EINVAL);  // no work
    args.cmdbuf_size = 7;
    CHECK(call() == -EINVAL);
    args.cmdbuf_size--;
    CHECK(call() == -EINVAL);  // the payload ends after the buffer
}

TEST_CASE("asahi: rules of commands") {
    AsahiKernel k(false);
    AsahiProgram p(k);
    const auto submit = [&](const CommandBuffer& commands) { return k.submit_error(p.queue, commands); };
    CommandBuffer many;
    for (int i = 0; i < 64; i++)
        many.add(kAsahiCmdCompute, k.compute());
    many.header(kAsahiSetVertexAttachments, 0);
    CHECK(submit(many) == 0);
    many.add(kAsahiCmdRender, k.render());
    CHECK(submit(many) == -EINVAL);
    CommandBuffer none;
    none.header(kAsahiSetVertexAttachments, 0);
    CHECK(submit(none) == -EINVAL);
    CommandBuffer unknown = CommandBuffer().add(kAsahiCmdCompute, k.compute());
    unknown.header(5, 0);
    CHECK(submit(unknown) == -EINVAL);

    const auto render = [&](auto&& change) {
        drm_asahi_cmd_render r = k.render();
        change(r);
        return submit(CommandBuffer().add(kAsahiCmdRender, r));
    };
    CHECK(render([](auto&) {}) == 0);
    CHECK(render([](auto& r) { r.flags = kAsahiRenderFlags; }) == 0);
    CHECK(render([](auto& r) { r.flags = 8; }) == -EINVAL);
    CHECK(render([](auto& r) { r.width_px = 0; }) == -EINVAL);
    CHECK(render([](auto& r) { r.height_px = 0; }) == -EINVAL);
    CHECK(render([](auto& r) { r.width_px = r.height_px = 16384; }) == 0);
    CHECK(render([](auto& r) { r.width_px = 16385; }) == -EINVAL);
    CHECK(render([](auto& r) { r.height_px = 16385; }) == -EINVAL);
    CHECK(render([](auto& r) { r.layers = 0; }) == -EINVAL);
    CHECK(render([](auto& r) { r.layers = 2048; }) == 0);
    CHECK(render([](auto& r) { r.layers = 2049; }) == -EINVAL);
    CHECK(render([](auto& r) { r.utile_height_px = 16; }) == 0);
    CHECK(render([](auto& r) { r.utile_width_px = r.utile_height_px = 16; }) == 0);
    CHECK(render([](auto& r) { r.utile_width_px = 16; }) == -EINVAL);
    CHECK(render([](auto& r) { r.samples = 4; }) == 0);
    CHECK(render([](auto& r) { r.samples = 3; }) == -EINVAL);
    CHECK(render([](auto& r) { r.samples = 0; }) == -EINVAL);
    auto compute = k.compute();
    compute.flags = 1;
    CHECK(submit(CommandBuffer().add(kAsahiCmdCompute, compute)) == -EINVAL);
}

TEST_CASE("asahi: a payload of another version") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    struct {
        drm_asahi_cmd_compute now;
        uint64_t later;
    } c{k.compute(p.logs(3)), 0};
    // Up to and with cdm_ctrl_stream_base; the rest is 0.
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute, c.now, kNone, kNone, 16)) == 1);
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute, c)) == 1);
    c.later = 1;
    CHECK(p.submit(CommandBuffer().add(kAsahiCmdCompute, c)) == -EINVAL);
    CHECK(k.log.get() == Values{3, 3});
    // Without its sizes, a render is refused.
    CHECK(p.submit(CommandBuffer().add(kAsahiCmdRender, k.render(), kNone, kNone, 16)) == -EINVAL);
}

TEST_CASE("asahi: attachments") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    drm_asahi_attachment list[17] = {};
    list[0] = {0x1000, 100, 0, 0};
    list[1] = {0x2000, 200, 0, 0};
    CommandBuffer commands;
    commands.add(kAsahiSetVertexAttachments, list, kNone, kNone, sizeof list[0])
        .add(kAsahiSetFragmentAttachments, list, kNone, kNone, 2 * sizeof list[0])
        .add(kAsahiCmdRender, k.render())
        .add(kAsahiSetComputeAttachments, list, kNone, kNone, 16 * sizeof list[0])
        .add(kAsahiCmdCompute, k.compute())
        .add(kAsahiSetComputeAttachments, list, kNone, kNone, 0)
        .add(kAsahiCmdCompute, k.compute());
    REQUIRE(p.finish(commands) == 1);
    REQUIRE(k.log.fragment.size() == 1);
    CHECK(k.log.fragment[0].vertex_attachments.count == 1);
    CHECK(k.log.fragment[0].fragment_attachments.count == 2);
    CHECK(k.log.fragment[0].fragment_attachments.list[1].va == 0x2000);
    CHECK(k.log.fragment[0].fragment_attachments.list[1].size_B == 200);
    REQUIRE(k.log.compute.size() == 2);
    CHECK(k.log.compute[0].attachments.count == 16);
    CHECK(k.log.compute[1].attachments.count == 0);

    const auto attach = [&](const drm_asahi_attachment& one, size_t size_B) {
        list[0] = one;
        return p.submit(CommandBuffer()
                            .add(kAsahiCmdCompute, k.compute())
                            .add(kAsahiSetVertexAttachments, list, kNone, kNone, size_B));
    };
    CHECK(attach({0, 1, 0, 0}, sizeof list) == -EINVAL);
    CHECK(attach({0, 1, 0, 0}, sizeof list[0] - 8) == -EINVAL);
    CHECK(attach({0, 1, 1, 0}, sizeof list[0]) == -EINVAL);
    CHECK(attach({0, 1, 0, 1}, sizeof list[0]) == -EINVAL);
    CHECK(attach({0, uint64_t{UINT32_MAX} << 7, 0, 0}, sizeof list[0]) == 0);
    CHECK(attach({0, (uint64_t{UINT32_MAX} << 7) + 1, 0, 0}, sizeof list[0]) == -EINVAL);
    CHECK(attach({0, UINT64_MAX, 0, 0}, sizeof list[0]) == -EINVAL);
}

TEST_CASE("asahi: the GPU receives all registers, in memory that it cannot write") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    drm_asahi_cmd_render r = k.render(p.logs(1), p.logs(2));
    r.flags = kAsahiRenderVertexScratch | kAsahiRenderDbiasIsInt;
    r.isp_zls_pixels = 3;
    r.vertex_helper = {4, 5, 6};
    r.fragment_helper = {7, 8, 9};
    r.isp_scissor_base = 10;
    r.isp_oclqry_base = 12;
    r.depth = {13, 14, 15, 16};
    r.stencil = {17, 18, 19, 20};
    r.zls_ctrl = 21;
    r.ppp_multisamplectl = 22;
    r.sampler_heap = 23;
    r.ppp_ctrl = 24;
    r.width_px = 25;
    r.height_px = 26;
    r.layers = 27;
    r.sampler_count = 28;
    r.samples = 2;
    r.sample_size_B = 9;
    r.isp_merge_upper_x = 30;
    r.isp_merge_upper_y = 31;
    r.bg = {32, 33};
    r.eot = {34, 35};
    r.partial_bg = {36, 37};
    r.partial_eot = {38, 39};
    r.isp_bgobjdepth = 40;
    r.isp_bgobjvals = 41;
    REQUIRE(p.finish(CommandBuffer().add(kAsahiCmdRender, r)) == 1);
    CHECK(k.log.get() == Values{1, 2});
    REQUIRE(k.log.vertex.size() == 1);
    const asahi::RenderCommand& g = k.log.vertex[0];
    CHECK(memcmp(&g, &k.log.fragment.at(0), sizeof g) == 0);
    CHECK(g.flags == kAsahiRenderVertexScratch);
    CHECK(g.isp_ctl == 0x4c000);
    CHECK(g.vdm_ctrl_stream_base == r.vdm_ctrl_stream_base);
    CHECK(g.vertex_usc_base == kObjectVa);
    CHECK(g.fragment_usc_base == kObjectVa);
    CHECK(g.vertex_helper.cfg == 5);
    CHECK(g.fragment_helper.data == 9);
    CHECK(g.isp_scissor_base == 10);
    CHECK(g.isp_dbias_base == r.isp_dbias_base);
    CHECK(g.isp_oclqry_base == 12);
    CHECK(g.depth.partial.comp_base == 14);
    CHECK(g.depth.load.stride == 15);
    CHECK(g.stencil.store.comp_stride == 20);
    CHECK(g.stencil.load.base == 17);
    CHECK(g.zls_ctrl == 21);
    CHECK(g.ppp_multisamplectl == 22);
    CHECK(g.vertex_sampler_heap == 23);
    CHECK(g.fragment_sampler_count == 28);
    CHECK(g.isp_zls_pixels == 3);
    CHECK(g.ppp_ctrl == 24);
    CHECK(g.width_px == 25);
    CHECK(g.height_px == 26);
    CHECK(g.layers == 27);
    CHECK(g.samples == 2);
    CHECK(g.sample_size_B == 9);
    CHECK(g.tib_blocks == 9);  // 32 * 32 * 2 * 9 bytes
    CHECK(g.isp_merge_upper_x == 30);
    CHECK(g.isp_merge_upper_y == 31);
    CHECK(g.bg.usc == 32);
    CHECK(g.eot.rsrc_spec == 35);
    CHECK(g.partial_bg.usc == 36);
    CHECK(g.partial_eot.rsrc_spec == 39);
    CHECK(g.isp_bgobjdepth == 40);
    CHECK(g.isp_bgobjvals == 41);

    drm_asahi_cmd_compute c = k.compute(p.program({{Op::Store, k.log.command_va, 1}}));
    c.sampler_count = 50;
    c.cdm_ctrl_stream_end = 51;
    c.sampler_heap = 52;
    c.helper = {53, 54, 55};
    CHECK(k.log.command_va >= kKernelStart);
    CHECK(k.log.command_va < kKernelEnd);
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute, c)) == -EIO);
    REQUIRE(k.log.compute.size() == 1);
    CHECK(k.log.compute[0].usc_base == kObjectVa);
    CHECK(k.log.compute[0].sampler_count == 50);
    CHECK(k.log.compute[0].cdm_ctrl_stream_end == 51);
    CHECK(k.log.compute[0].sampler_heap == 52);
    CHECK(k.log.compute[0].helper.data == 55);
    // Far more commands than a chunk of that memory has, so it is used again.
    for (int i = 0; i < 200; i++)
        REQUIRE(p.finish(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({})))) == 1);
    CHECK(k.log.command_va < kKernelStart + (64 << 10));
}

TEST_CASE("asahi: barriers name commands before them") {
    AsahiKernel k(false);
    AsahiProgram p(k);
    const auto submit = [&](uint16_t vdm, uint16_t cdm) {
        return p.submit(CommandBuffer()
                            .add(kAsahiCmdRender, k.render())
                            .add(kAsahiCmdCompute, k.compute())
                            .add(kAsahiCmdRender, k.render())
                            .add(kAsahiCmdCompute, k.compute(), vdm, cdm));
    };
    CHECK(submit(0, 0) == 0);
    CHECK(submit(2, 1) == 0);
    CHECK(submit(3, 0) == -EINVAL);
    CHECK(submit(0, 2) == -EINVAL);
    CHECK(submit(kNone - 1, kNone) == -EINVAL);
    CommandBuffer attachments = CommandBuffer().add(kAsahiCmdRender, k.render());
    attachments.header(kAsahiSetVertexAttachments, 0, 0, kNone);
    CHECK(p.submit(attachments) == -EINVAL);
}

TEST_CASE("asahi: work without barriers overtakes blocked work of the other subqueue") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    const uint64_t gated = p.program({p.gate(0), {Op::Log, 1, 0}});
    REQUIRE(p.submit(CommandBuffer()
                         .add(kAsahiCmdRender, k.render(gated, p.logs(2)))
                         .add(kAsahiCmdCompute,
                              k.compute(p.program({{Op::Log, 3, 0}, {Op::Store, kObjectVa, 1}})))) == 0);
    CHECK(k.wait(p.done) == 0);  // the dispatch opened the gate
    CHECK(k.log.get() == Values{3, 1, 2});
}

TEST_CASE("asahi: a barrier waits for the commands that it names") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    // The dispatch waits for the first render only; the second render waits for the dispatch.
    REQUIRE(p.submit(CommandBuffer()
                         .add(kAsahiCmdRender, k.render(p.program({p.gate(0), {Op::Log, 1, 0}}), p.logs(2)))
                         .add(kAsahiCmdCompute, k.compute(p.logs(3)), 1, kNone)
                         .add(kAsahiCmdRender, k.render(p.logs(4), p.logs(5)), kNone, 1)
                         .add(kAsahiCmdCompute, k.compute(p.logs(6)), 2, kNone)) == 0);
    CHECK(k.wait(p.done, 20) == -ETIME);
    CHECK(k.log.get().empty());
    p.open_gate(0);
    CHECK(k.wait(p.done) == 0);
    CHECK(k.log.get() == Values{1, 2, 3, 4, 5, 6});
}

TEST_CASE("asahi: a barrier of 0 waits for earlier submits") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    REQUIRE(k.submit_error(p.queue, CommandBuffer().add(
                                        kAsahiCmdRender,
                                        k.render(p.program({p.gate(0), {Op::Log, 1, 0}}), p.logs(2)))) == 0);
    const uint32_t free = k.syncobj();
    REQUIRE(k.submit_error(p.queue, CommandBuffer().add(kAsahiCmdCompute, k.compute(p.logs(3)), kNone, 0), {},
                           {{kAsahiSyncSyncobj, free, 0}}) == 0);
    CHECK(k.wait(free) == 0);  // only dispatches before it: there are none
    REQUIRE(p.submit(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.logs(4)), 0, 0)) == 0);
    CHECK(k.wait(p.done, 20) == -ETIME);
    p.open_gate(0);
    CHECK(k.wait(p.done) == 0);
    CHECK(k.log.get() == Values{3, 1, 2, 4});
}

TEST_CASE("asahi: vertex work of a render overtakes fragment work of the one before it") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    REQUIRE(
        p.submit(CommandBuffer()
                     .add(kAsahiCmdRender, k.render(p.logs(1), p.program({p.gate(0), {Op::Log, 2, 0}})))
                     .add(kAsahiCmdRender, k.render(p.program({{Op::Log, 3, 0}, {Op::Store, kObjectVa, 1}}),
                                                    p.logs(4)))) == 0);
    CHECK(k.wait(p.done) == 0);
    CHECK(k.log.get() == Values{1, 3, 2, 4});
}

TEST_CASE("asahi: syncobjs to wait for and to signal") {
    for (const bool gpu : {false, true}) {
        AsahiKernel k(gpu);
        AsahiProgram p(k);
        const CommandBuffer work = CommandBuffer().add(kAsahiCmdCompute, k.compute());
        const uint32_t empty = k.syncobj(), in = k.syncobj(), out = k.syncobj();
        const auto submit = [&](drm_asahi_sync wait, drm_asahi_sync signal) {
            return k.submit_error(p.queue, work, {wait}, {signal});
        };
        const drm_asahi_sync to{kAsahiSyncSyncobj, out, 0};
        CHECK(submit({2, in, 0}, to) == -EINVAL);
        CHECK(submit({kAsahiSyncSyncobj, in, 1}, to) == -EINVAL);
        CHECK(submit({kAsahiSyncSyncobj, 99, 0}, to) == -ENOENT);
        CHECK(submit({kAsahiSyncSyncobj, empty, 0}, to) == -EINVAL);
        CHECK(submit({kAsahiSyncTimelineSyncobj, 99, 1}, to) == -ENOENT);
        CHECK(submit({kAsahiSyncTimelineSyncobj, empty, 1}, to) == -EINVAL);
        REQUIRE(k.signal(in) == 0);
        CHECK(submit({kAsahiSyncTimelineSyncobj, in, 1}, to) == -EINVAL);  // it is no timeline
        CHECK(submit({kAsahiSyncSyncobj, in, 0}, {kAsahiSyncSyncobj, 99, 0}) == -ENOENT);
        CHECK(submit({kAsahiSyncSyncobj, in, 0}, {kAsahiSyncSyncobj, out, 1}) == -EINVAL);
        CHECK(submit({kAsahiSyncSyncobj, in, 0}, to) == 0);
        CHECK(k.wait(out) == 0);
        // Points of a timeline. The second one waits for the first.
        const uint32_t line = k.syncobj(), end = k.syncobj();
        CHECK(submit({kAsahiSyncSyncobj, in, 0}, {kAsahiSyncTimelineSyncobj, line, 5}) == 0);
        CHECK(submit({kAsahiSyncTimelineSyncobj, line, 5}, {kAsahiSyncTimelineSyncobj, line, 9}) == 0);
        CHECK(submit({kAsahiSyncTimelineSyncobj, line, 10}, to) == -EINVAL);
        CHECK(submit({kAsahiSyncTimelineSyncobj, line, 9}, {kAsahiSyncSyncobj, end, 0}) == 0);
        CHECK(k.wait(end) == 0);
    }
}

TEST_CASE("asahi: a submit starts when its syncobjs have signalled, and after earlier submits have started") {
    AsahiKernel k(true);
    AsahiProgram p(k), other(k);
    const uint32_t gate = k.syncobj(), unrelated = k.syncobj();
    REQUIRE(k.submit_error(other.queue,
                           CommandBuffer().add(kAsahiCmdCompute, k.compute(other.program({other.gate(0)}))),
                           {}, {{kAsahiSyncSyncobj, gate, 0}}) == 0);
    REQUIRE(k.submit_error(p.queue, CommandBuffer().add(kAsahiCmdRender, k.render(p.logs(1), p.logs(2))),
                           {{kAsahiSyncSyncobj, gate, 0}}) == 0);
    // It has no syncobj and another subqueue, but comes after the first one.
    REQUIRE(k.submit_error(p.queue, CommandBuffer().add(kAsahiCmdCompute, k.compute(p.logs(3))), {},
                           {{kAsahiSyncSyncobj, unrelated, 0}}) == 0);
    CHECK(k.wait(unrelated, 20) == -ETIME);
    CHECK(k.log.get().empty());
    other.open_gate(0);
    REQUIRE(p.submit(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.logs(4)), 0, 0)) == 0);
    CHECK(k.wait(p.done) == 0);
    CHECK(k.log.get().size() == 4);
    CHECK(k.log.get().back() == 4);
}

TEST_CASE("asahi: timestamps of every part") {
    for (const bool gpu : {false, true}) {
        AsahiKernel k(gpu);
        AsahiProgram p(k);
        const uint32_t bo = k.bo(2 * kAgxPage), handle = k.timestamps(bo, kAgxPage, kAgxPage);
        auto* all = k.map<uint64_t>(bo, 2 * kAgxPage);
        const uint64_t* times = all + kAgxPage / 8;
        drm_asahi_cmd_render r = k.render(p.logs(1), p.logs(2));
        r.ts_vtx = {{handle, 0}, {handle, 8}};
        r.ts_frag = {{handle, 16}, {handle, 24}};
        drm_asahi_cmd_compute c = k.compute(p.logs(3));
        c.ts = {{0, 0}, {handle, kAgxPage - 8}};
        const uint64_t before = terrazzo::winsys::monotonic_ns();
        REQUIRE(p.finish(CommandBuffer().add(kAsahiCmdRender, r).add(kAsahiCmdCompute, c, 1, kNone)) == 1);
        CHECK(times[0] >= before);
        for (int i = 0; i < 3; i++)
            CHECK(times[i] <= times[i + 1]);
        CHECK(times[3] <= times[kAgxPage / 8 - 1]);
        CHECK(times[kAgxPage / 8 - 1] <= terrazzo::winsys::monotonic_ns());
        CHECK(times[4] == 0);
        CHECK(all[0] == 0);
        const auto at = [&](drm_asahi_timestamp t) {
            c.ts.start = t;
            return p.submit(CommandBuffer().add(kAsahiCmdCompute, c));
        };
        CHECK(at({99, 0}) == -ENOENT);
        CHECK(at({handle, kAgxPage - 7}) == -ERANGE);
        CHECK(at({handle, UINT32_MAX - 3}) == -EINVAL);
        c.ts.start = {};
        r.ts_frag.end.handle = 99;
        CHECK(p.submit(CommandBuffer().add(kAsahiCmdRender, r)) == -ENOENT);
        // The memory lives as long as a command writes to it.
        REQUIRE(p.submit(CommandBuffer().add(kAsahiCmdCompute, c)) == 0);
        drm_asahi_gem_bind_object unbind{kAsahiBindObjectOpUnbind, 0, 0, 0, 0, 0, handle, 0};
        CHECK(k.ioctl(kAsahiGemBindObject, &unbind) == 0);
        CHECK(k.close(bo) == 0);
        CHECK(k.wait(p.done) == 0);
        munmap(all, 2 * kAgxPage);
    }
}

TEST_CASE("asahi: a fault ends its command, and the queue continues") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    const uint32_t after = k.syncobj();
    REQUIRE(p.submit(CommandBuffer()
                         .add(kAsahiCmdRender, k.render(p.program({{Op::Fault, 0, 0}}), p.logs(1)))
                         .add(kAsahiCmdRender, k.render(p.logs(2), p.logs(3)))
                         .add(kAsahiCmdCompute, k.compute(p.logs(4)), 2, kNone)) == 0);
    REQUIRE(k.submit_error(p.queue, CommandBuffer().add(kAsahiCmdCompute, k.compute(p.logs(5)), 0, 0), {},
                           {{kAsahiSyncSyncobj, after, 0}}) == 0);
    CHECK(k.wait(after) == 0);
    CHECK(k.status(after) == 1);
    CHECK(k.status(p.done) == -EIO);
    CHECK(k.log.get() == Values{2, 3, 4, 5});  // fragment work is not run after a fault in the vertex work
    REQUIRE(k.reports.size() == 1);
    CHECK(k.reports[0] == "terrazzo: asahi: queue 1 vertex: fault, exception 0x05 (shader fault): asked for");
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdRender,
                                       k.render(p.logs(6), p.program({{Op::Store, 8, 1}})))) == -EIO);
    CHECK(k.reports.back() ==
          "terrazzo: asahi: queue 1 fragment: fault, exception 0x01 (unmapped): write to 0x8: nothing is "
          "mapped there");
}

TEST_CASE("asahi: the sync file of a timeline's point tells of a fault by its parts") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    const uint32_t timeline = k.syncobj(), copy = k.syncobj();
    const uint64_t bad = p.program({p.gate(0), {Op::Fault, 0, 0}});
    uint64_t point = 0;
    for (const uint64_t program : {p.program({p.gate(0)}), bad})
        REQUIRE(k.submit_error(p.queue, CommandBuffer().add(kAsahiCmdCompute, k.compute(program)), {},
                               {{kAsahiSyncTimelineSyncobj, timeline, ++point}}) == 0);
    drm_syncobj_transfer transfer{};
    transfer.src_handle = timeline;
    transfer.dst_handle = copy;
    transfer.src_point = point;
    REQUIRE(k.ioctl(kIoctlSyncobjTransfer, &transfer) == 0);
    drm_syncobj_handle file{copy, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjHandleToFd, &file) == 0);
    sync_fence_info parts[2];
    const auto info = [&](uint32_t room, int expected) {
        sync_file_info i{};
        i.num_fences = room;
        i.sync_fence_info = address_of(parts);
        bool ours = false;
        CHECK(k.device->descriptor_ioctl(file.fd, kIoctlSyncFileInfo, &i, &ours) == expected);
        return i;
    };
    CHECK(info(0, 0).num_fences == 2);
    CHECK(info(0, 0).status == 0);
    (void)info(1, -EINVAL);
    CHECK(info(2, 0).status == 0);
    p.open_gate(0);
    CHECK(k.wait(copy) == 0);
    CHECK(info(0, 0).num_fences == 1);
    CHECK(info(0, 0).status == 1);
    CHECK(info(2, 0).status == -EIO);
    CHECK(parts[0].status == -EIO);
    ::close(file.fd);
}

TEST_CASE("asahi: a crash of the firmware loses the device") {
    AsahiKernel k(true);
    AsahiProgram p(k), other(k);
    const auto second = k.open();
    REQUIRE(other.submit(CommandBuffer().add(kAsahiCmdCompute, k.compute(other.program({other.gate(0)})))) ==
            0);
    REQUIRE(p.submit(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({{Op::Fatal, 0, 0}})))) == 0);
    CHECK(k.wait(p.done) == 0);
    CHECK(k.wait(other.done) == 0);
    CHECK(k.status(p.done) == -ENODEV);
    CHECK(k.status(other.done) == -ENODEV);
    CHECK(p.submit(CommandBuffer().add(kAsahiCmdCompute, k.compute())) == -ENODEV);
    CHECK(p.submit(CommandBuffer()) == -ENODEV);
    drm_asahi_params_global params;
    drm_asahi_get_params args{0, 0, address_of(&params), sizeof params};
    CHECK(second->ioctl(kAsahiGetParams, &args) == -ENODEV);
    CHECK(k.queue(p.vm) == 3);  // creating is still possible, as in the kernel
    CHECK(k.destroy_queue(1) == 0);
}

TEST_CASE("asahi: work that does not end") {
    terrazzo::winsys::virt::SchedulerOptions options;
    options.run_timeout_ns = options.blocked_timeout_ns = 20'000'000;
    AsahiKernel k(true, options);
    AsahiProgram p(k);
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({{Op::Spin, 0, 0}})))) ==
          -ETIMEDOUT);
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({p.gate(9)})))) == -ETIMEDOUT);
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.logs(1)))) == 1);
    CHECK(k.log.get() == Values{1});
}

TEST_CASE("asahi: a destroyed queue finishes what has started, and drops what waits") {
    AsahiKernel k(true);
    AsahiProgram p(k), other(k);
    const uint32_t never = k.syncobj(), dropped = k.syncobj();
    REQUIRE(k.submit_error(other.queue,
                           CommandBuffer().add(kAsahiCmdCompute, k.compute(other.program({other.gate(0)}))),
                           {}, {{kAsahiSyncSyncobj, never, 0}}) == 0);
    REQUIRE(p.submit(CommandBuffer()
                         .add(kAsahiCmdRender, k.render(p.program({p.gate(0), {Op::Log, 1, 0}}), p.logs(2)))
                         .add(kAsahiCmdCompute, k.compute(p.logs(3)), 1, kNone)) == 0);
    REQUIRE(k.submit_error(p.queue, CommandBuffer().add(kAsahiCmdRender, k.render(p.logs(4), p.logs(5))),
                           {{kAsahiSyncSyncobj, never, 0}}, {{kAsahiSyncSyncobj, dropped, 0}}) == 0);
    CHECK(k.destroy_queue(p.queue) == 0);
    CHECK(k.wait(dropped) == 0);
    CHECK(k.status(dropped) == -ESRCH);
    CHECK(k.log.groups == 2);
    p.open_gate(0);
    CHECK(k.wait(p.done) == 0);
    CHECK(k.status(p.done) == 1);
    CHECK(k.log.get() == Values{1, 2, 3});
    CHECK(p.submit(CommandBuffer().add(kAsahiCmdCompute, k.compute())) == -ENOENT);
    // The thread that ran the last work holds the group for a moment longer.
    for (int ms = 0; ms < 1000 && k.log.groups != 1; ms++)
        usleep(1000);
    CHECK(k.log.groups == 1);
    other.open_gate(0);
    CHECK(k.wait(never) == 0);
}

TEST_CASE("asahi: a closed file's work is cancelled") {
    for (const bool destroyed : {false, true}) {
        AsahiKernel k(true);
        int fd = -1;
        {
            AsahiProgram p(k);
            REQUIRE(p.submit(CommandBuffer().add(kAsahiCmdRender,
                                                 k.render(p.program({p.gate(0)}), p.logs(1)))) == 0);
            drm_syncobj_handle args{p.done, kSyncobjFdSyncFile, -1, 0};
            REQUIRE(k.ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
            fd = args.fd;
            if (destroyed) CHECK(k.destroy_queue(p.queue) == 0);
        }
        k.file = nullptr;
        sync_file_info info{};
        bool ours = false;
        for (int i = 0; i < 1000 && !info.status; i++) {
            info = {};  // the last answer asks for fences
            REQUIRE(k.device->descriptor_ioctl(fd, kIoctlSyncFileInfo, &info, &ours) == 0);
            usleep(1000);
        }
        CHECK(info.status == -ECANCELED);
        CHECK(k.log.groups == 0);
        CHECK(k.log.get().empty());
        ::close(fd);
    }
}
