// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The scenes use the fixture of the driver tests. Its checks do nothing in a fuzz target.
#define DOCTEST_CONFIG_DISABLE
#include "tests/fuzz/adreno_submits.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "drivers/adreno/screen.h"
#include "drivers/adreno/sim/chips.h"
#include "drivers/common/host/gpu.h"
#include "tests/common/driver_scene.h"
#include "winsys/drm/drm.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::test {
namespace {

namespace virt = winsys::virt;
namespace msm = virt::msm;
using Submits = std::vector<std::unique_ptr<AdrenoSubmit>>;

constexpr const char* kChip = "adreno-630";
constexpr int32_t kSize_px = 24;

[[noreturn]] void give_up(const char* why) {
    std::fprintf(stderr, "adreno_submits: %s\n", why);
    std::abort();
}

/// Records each submit, then lets the GPU run it.
class SnapshotGroup final : public virt::GpuGroup {
  public:
    SnapshotGroup(std::unique_ptr<virt::GpuGroup> group, virt::GpuHost& host, Submits& submits)
        : group_(std::move(group)), host_(host), submits_(submits) {}
    virt::RunResult run(uint32_t queue, const virt::Submit& submit) override {
        auto s = std::make_unique<AdrenoSubmit>();
        for (const virt::Stream& c : submit.streams)
            s->commands.push_back({c.va, uint32_t(c.size_B / 4)});
        {
            const virt::AddressSpace::Use use(host_.memory());
            for (const virt::Region& r : host_.memory().regions())
                s->memory.add(r.va_begin, r.host, r.va_end - r.va_begin, true, true);
        }
        s->places = s->memory.places();
        submits_.push_back(std::move(s));
        virt::RunResult result = group_->run(queue, submit);
        if (result.status != virt::RunStatus::Done) give_up(result.report.c_str());
        return result;
    }

  private:
    const std::unique_ptr<virt::GpuGroup> group_;
    virt::GpuHost& host_;
    Submits& submits_;
};

class SnapshotGpu final : public virt::Gpu {
  public:
    explicit SnapshotGpu(Submits& submits)
        : gpu_(host::create_gpu(*adreno::sim::host_vendor().find(kChip), {.trace = {}})), submits_(submits) {}
    std::unique_ptr<virt::GpuGroup> create_group(uint32_t queues, virt::GpuHost& host) override {
        return std::make_unique<SnapshotGroup>(gpu_->create_group(queues, host), host, submits_);
    }

  private:
    const std::unique_ptr<virt::Gpu> gpu_;
    Submits& submits_;
};

DriverScene open_recorded(Submits& submits, pipe::DebugWord mode) {
    return DriverScene(kSize_px, kSize_px, pipe::Format::D24_UNORM_S8_UINT, [&](const pipe::Log& log) {
        const adreno::hw::Chip& chip = *adreno::hw::find_chip(kChip);
        auto file =
            msm::create_device(adreno::sim::gpu_info(chip), std::make_unique<SnapshotGpu>(submits), {});
        std::string why;
        auto device = adreno::Device::create(winsys::open_virtual_drm(std::move(file)), log, &why);
        if (!device) give_up(why.c_str());
        device->debug.set(mode);
        return std::make_unique<adreno::AdrenoScreen>(std::move(device));
    });
}

/// Blended, tested triangles; points; lines in instances.
void primitives(DriverScene& s) {
    s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Less});
    pipe::BlendDesc blend;
    blend.targets[0].enable = true;
    blend.targets[0].src_rgb = pipe::BlendFactor::SrcAlpha;
    blend.targets[0].dst_rgb = pipe::BlendFactor::OneMinusSrcAlpha;
    s.blend(blend);
    s.begin(0, 0, 0.5f, 1);
    s.draw(pipe::Primitive::Triangles, {s.at(1, 2, 0.25f), s.at(23, 3, 0.5f), s.at(7, 22, 0.75f)});
    s.draw(pipe::Primitive::Points, {s.at(4, 4), s.at(20, 9)});
    pipe::DrawInfo info;
    info.instance_count = 3;
    s.draw(pipe::Primitive::LineLoop, {s.at(2, 20), s.at(20, 21), s.at(12, 3)}, info);
    (void)s.pixels();
}

/// A texture, a loop with a discard, an occlusion query, a clear in the middle.
void textured(DriverScene& s) {
    const auto texture = s.image(pipe::Format::R8G8B8A8_UNORM, 8, 8, pipe::bind::kSampled);
    const pipe::Mapping m = s.context->map(*texture, 0, {0, 0, 0, 8, 8, 1}, pipe::map_flag::kWrite);
    if (!m.data) give_up("no memory for a texture");
    for (unsigned y = 0; y < 8; ++y)
        std::memset(static_cast<uint8_t*>(m.data) + y * m.row_stride_B, int(17 * y + 3), 32);
    s.context->unmap(*texture, m);
    const auto view = s.screen->create_sampler_view(texture, {.format = pipe::Format::R8G8B8A8_UNORM});
    const auto sampler = s.screen->create_sampler({});
    const auto program = s.link(
        kVertexText, R"(precision highp float; varying vec4 v_color; uniform sampler2D t; uniform float limit;
        void main() {
            vec4 sum = vec4(0.0);
            for (int i = 0; i < 5; ++i) {
                if (float(i) > limit * v_color.g * 9.0) break;
                sum += texture2D(t, v_color.rb * float(i) * 0.3);
            }
            if (sum.g > 3.5) discard;
            gl_FragColor = sum * 0.25;
        })");
    s.context->bind_program(program.get());
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    const uint32_t uniforms[] = {0x3f000000, 0, 0, 0};
    s.context->set_uniforms(pipe::Stage::Fragment, uniforms);
    const auto query = s.context->create_query(pipe::QueryKind::Samples);
    s.begin(0, 0, 0, 1);
    s.context->begin_query(*query);
    s.rectangle(0, 0, 12, 24, 0.5f, {1, 0.5f, 0, 1});
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0 | pipe::attachment_bit::kDepth;
    c.scissored = true;
    c.scissor = {8, 8, 20, 20};
    s.context->clear(c);
    s.rectangle(6, 6, 24, 24, 0.25f, {0, 1, 1, 1});
    s.context->end_query(*query);
    (void)s.pixels();
    s.context->set_textures(pipe::Stage::Fragment, 0, std::vector<pipe::SamplerView*>(1),
                            std::vector<pipe::SamplerState*>(1));
    s.context->bind_program(s.program.get());
}

/// The 2D engine: levels of one image to another.
void copies(DriverScene& s) {
    s.begin(1, 0, 0, 1);
    s.rectangle(3, 3, 17, 18, 0.5f, {0, 1, 0, 1});
    s.context->end_render_pass();
    const auto other = s.image(pipe::Format::R8G8B8A8_UNORM, 16, 16, pipe::bind::kColor);
    s.context->copy_region(*other, 0, 2, 3, 0, *s.color, 0, {1, 1, 0, 9, 11, 1});
    s.resume();
    (void)s.pixels(other.get());
}

}  // namespace

SnapshotSpace::~SnapshotSpace() {
    for (const auto& [end, m] : mappings_)
        munmap(m.host, m.end - m.begin);
}

void SnapshotSpace::add(uint64_t va, const uint8_t* bytes, uint64_t size_B, bool writable, bool executable) {
    const int fd = memfd_create("snapshot", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, off_t(size_B)) != 0) give_up("no file in memory");
    void* const whole = mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    // A private mapping: what is written to it goes away with its pages.
    void* const host = mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (whole == MAP_FAILED || host == MAP_FAILED) give_up("no room for memory");
    std::memcpy(whole, bytes, size_B);
    munmap(whole, size_B);
    close(fd);
    mappings_[va + size_B] = {va, va + size_B, static_cast<uint8_t*>(host), writable, executable};
}

void SnapshotSpace::restore() {
    for (const auto& [end, m] : mappings_)
        madvise(m.host, m.end - m.begin, MADV_DONTNEED);
}

std::vector<uint64_t> SnapshotSpace::places() const {
    std::vector<uint64_t> places;
    for (const auto& [end, m] : mappings_)
        for (uint64_t va = m.begin; va < m.end; va += 4) {
            uint32_t word;
            std::memcpy(&word, m.host + (va - m.begin), 4);
            if (word) places.push_back(va);
        }
    return places;
}

uint32_t* SnapshotSpace::word(uint64_t va) {
    const window::Mapping m = find(va);
    return reinterpret_cast<uint32_t*>(m.host + (va - m.begin));
}

window::Mapping SnapshotSpace::find(uint64_t va) {
    const auto at = mappings_.upper_bound(va);
    return at == mappings_.end() || va < at->second.begin ? window::Mapping() : at->second;
}

Submits record_adreno_submits() {
    Submits submits;
    for (const pipe::DebugWord mode : {pipe::DebugWord::Sysmem, pipe::DebugWord::Gmem})
        for (void (*const draw)(DriverScene&) : {primitives, textured, copies}) {
            DriverScene s = open_recorded(submits, mode);
            draw(s);
            if (!s.messages.empty()) give_up(s.messages.text().c_str());
        }
    return submits;
}

}  // namespace terrazzo::test
