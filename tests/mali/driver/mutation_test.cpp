// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU complains when a wait, a flush or a slot is missing: of a scene's command streams each such
// instruction is made a NOP, of its shaders each wait for a slot is taken away, one a run. Work on the same
// memory comes out right on the virtual GPU without them, so nothing else would tell.
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/gpu.h"
#include "drivers/mali/sim/jobs.h"
#include "tests/mali/driver/scene.h"
#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::test {

namespace {

namespace virt = winsys::virt;
using mali::hw::CsOpcode;

/// One place: the index-th of a queue's instructions, or a wait of a shader.
struct Place {
    enum class Of : uint8_t { Stream, Shader } of = Of::Stream;
    uint32_t queue = 0;  // streams
    uint32_t index = 0;  // within the streams of the queue, or the code of all shaders
    uint32_t slot = 0;   // shaders: the one that is not waited for
    std::string what;    // kind, for the table of what goes unnoticed
    bool operator<(const Place& o) const {
        return std::tie(of, queue, index, slot) < std::tie(o.of, o.queue, o.index, o.slot);
    }
};

/// What a run is to change, and what there was to change in it.
struct Mutation {
    std::optional<Place> target;
    bool done = false;
    std::vector<Place> places;
    std::vector<std::string> reports;
};

const char* name_of(CsOpcode op) {
    switch (op) {
        case CsOpcode::WAIT:
            return "WAIT";
        case CsOpcode::SYNC_WAIT64:
            return "SYNC_WAIT64";
        case CsOpcode::SYNC_ADD64:
            return "SYNC_ADD64";
        case CsOpcode::FLUSH_CACHE2:
            return "FLUSH_CACHE2";
        case CsOpcode::SET_SB_ENTRY:
            return "SET_SB_ENTRY";
        case CsOpcode::HEAP_SET:
            return "HEAP_SET";
        case CsOpcode::REQ_RESOURCE:
            return "REQ_RESOURCE";
        case CsOpcode::FINISH_TILING:
            return "FINISH_TILING";
        case CsOpcode::HEAP_OPERATION:
            return "HEAP_OPERATION";
        case CsOpcode::FINISH_FRAGMENT:
            return "FINISH_FRAGMENT";
        default:
            return nullptr;
    }
}
const char* name_of_job(CsOpcode op) {
    switch (op) {
        case CsOpcode::RUN_IDVS:
            return "RUN_IDVS";
        case CsOpcode::RUN_FRAGMENT:
            return "RUN_FRAGMENT";
        case CsOpcode::LOAD_MULTIPLE:
            return "LOAD_MULTIPLE";
        default:
            return name_of(op);
    }
}

/// Looks at streams before they run.
class MutatingGroup final : public virt::GpuGroup {
  public:
    MutatingGroup(std::unique_ptr<virt::GpuGroup> group, virt::GpuHost& host, Mutation& mutation)
        : group_(std::move(group)), memory_(host.memory()), mutation_(mutation) {}
    virt::RunResult run(uint32_t queue, const virt::Stream& stream) override {
        if (queue < seen_.size() && seen_[queue] != stream.number) {
            seen_[queue] = stream.number;
            walk(queue, stream.va, stream.va + stream.size_B);
        }
        virt::RunResult result = group_->run(queue, stream);
        if (result.status == virt::RunStatus::Fault || result.status == virt::RunStatus::Fatal)
            mutation_.reports.push_back(result.report);
        return result;
    }

  private:
    uint64_t* word(uint64_t va) {
        const virt::Region r = memory_.lookup(va);
        return r.contains(va, 8) ? reinterpret_cast<uint64_t*>(r.at(va)) : nullptr;
    }
    /// From what registers are set to alone.
    void walk(uint32_t queue, uint64_t pc, uint64_t end) {
        std::array<uint32_t, 257> r{};
        const char* after = "nothing";
        for (unsigned limit = 10000; pc != end && limit; --limit, pc += 8) {
            uint64_t* const w = word(pc);
            if (!w) return;
            const auto op = CsOpcode(*w >> 56);
            const unsigned destination = *w >> 48 & 0xff;
            if (op == CsOpcode::MOVE32 || op == CsOpcode::MOVE) {
                r[destination] = uint32_t(*w);
                if (op == CsOpcode::MOVE) r[destination + 1] = uint32_t(*w >> 32 & 0xffff);
            } else if (op == CsOpcode::JUMP) {
                const unsigned address = *w >> 40 & 0xff, length = *w >> 32 & 0xff;
                pc = (r[address] | uint64_t(r[address + 1]) << 32) - 8;
                end = pc + 8 + r[length];
            } else if (op == CsOpcode::RUN_IDVS) {
                for (const unsigned spd : {16, 18, 20})
                    shader(r[spd] | uint64_t(r[spd + 1]) << 32);
            }
            if (name_of(op)) {
                Place p{.queue = queue, .index = indices_[queue]++};
                p.what = std::string(queue ? "fragment: " : "vertex: ") + name_of(op) + " after " + after;
                if (op == CsOpcode::HEAP_OPERATION) p.what += (*w >> 32 & 3) ? ", completed" : ", started";
                if (offer(std::move(p))) *w = 0;
            }
            if (const char* name = name_of_job(op)) after = name;
        }
    }
    void shader(uint64_t spd_va) {
        const uint64_t* const spd = spd_va ? word(spd_va) : nullptr;
        if (!spd || !shaders_.insert(spd_va).second) return;
        code_ += 1000;
        for (uint64_t va = spd[1];; va += 8) {
            uint64_t* const w = word(va);
            mali::isa::Instr instr;
            if (!w || !mali::isa::decode(*w, &instr, nullptr)) return;
            if (instr.flow == mali::isa::Flow::kEnd) return;
            const unsigned slots = mali::isa::waited_slots(instr.flow);
            for (unsigned slot = 0; slots >> slot; ++slot) {
                if (!(slots >> slot & 1)) continue;
                // General slots can be left away one by one, the others only all together.
                const bool general = instr.flow <= mali::isa::Flow::kWait012;
                Place p{.of = Place::Of::Shader, .index = code_ + uint32_t((va - spd[1]) / 8), .slot = slot};
                p.what = instr.flow == mali::isa::Flow::kWait0126 ? "wait0126"
                         : general                                ? "wait for a slot"
                                                                  : "wait";
                if (offer(std::move(p))) {
                    instr.flow = general ? mali::isa::Flow(slots & ~(1u << slot)) : mali::isa::Flow::kNone;
                    CHECK(mali::isa::encode(instr, w, nullptr));
                }
                if (!general) break;
            }
        }
    }
    bool offer(Place p) {
        const auto& t = mutation_.target;
        const bool hit = t && !(p < *t) && !(*t < p);
        mutation_.done |= hit;
        mutation_.places.push_back(std::move(p));
        return hit;
    }

    const std::unique_ptr<virt::GpuGroup> group_;
    virt::AddressSpace& memory_;
    Mutation& mutation_;
    std::array<uint64_t, 3> seen_{};
    std::array<uint32_t, 3> indices_{};
    std::set<uint64_t> shaders_;
    uint32_t code_ = 0;
};

class MutatingGpu final : public virt::Gpu {
  public:
    MutatingGpu(std::unique_ptr<virt::Gpu> gpu, Mutation& mutation)
        : gpu_(std::move(gpu)), mutation_(mutation) {}
    const virt::GpuInfo& info() const override { return gpu_->info(); }
    std::unique_ptr<virt::GpuGroup> create_group(const virt::GroupDesc& desc, virt::GpuHost& host) override {
        auto group = gpu_->create_group(desc, host);
        return group ? std::make_unique<MutatingGroup>(std::move(group), host, mutation_) : nullptr;
    }

  private:
    const std::unique_ptr<virt::Gpu> gpu_;
    Mutation& mutation_;
};

constexpr char kTexturedVertexText[] =
    "attribute vec4 position; attribute vec4 color; varying vec4 v_color; uniform sampler2D t;\n"
    "void main() { gl_Position = position;\n"
    "  v_color = color * texture2DLod(t, position.xy * 0.5 + 0.5, 0.0); }\n";
constexpr char kTexturedFragmentText[] =
    "precision highp float; varying vec4 v_color; uniform sampler2D t;\n"
    "void main() { gl_FragColor = v_color + 0.5 * texture2D(t, v_color.xy); }\n";

/// Of what is left out, this the virtual GPU cannot tell.
struct Unnoticed {
    const char* what;
    unsigned count;
    const char* why;
};
constexpr Unnoticed kUnnoticed[] = {
    {"vertex: SYNC_WAIT64 after HEAP_OPERATION", 2,
     "the vertex queue then runs first: the image that it reads is not drawn yet, so none knows that it will "
     "be"},
    {"fragment: FLUSH_CACHE2 after SYNC_WAIT64", 3,
     "the vertex queue has emptied the caches for its own textures, and is waited for"},
    {"fragment: SYNC_ADD64 after FINISH_FRAGMENT", 1,
     "the last number: nothing of the submission waits for it"},
    {"fragment: SET_SB_ENTRY after nothing", 1,
     "the slots are 0 then, and before each use of what a job did a wait for slot 0 happens to stand"},
    {"wait0126", 1, "who waits for slot 6 before ATEST is not looked at; slots 0 to 2 are free already"},
};

struct Result {
    bool complained = false;
    std::vector<uint32_t> pixels;
    Mutation mutation;
};

/// A texture is drawn, read by vertices and fragments with depth test and blending, drawn on, and so is the
/// target.
Result draw(std::optional<Place> target) {
    Result result;
    result.mutation.target = std::move(target);
    const mali::hw::Chip& chip = mali::hw::chips()[0];
    auto gpu =
        std::make_unique<MutatingGpu>(mali::sim::create_gpu(chip, mali::sim::make_jobs, 1), result.mutation);
    auto device = virt::panthor::create_device(mali::sim::gpu_info(chip), std::move(gpu),
                                               {.blocked_timeout_ns = 150'000'000});
    REQUIRE(device);
    // Images that are read back as they are, without another stream.
    DriverScene s(std::move(device), 32, 32, pipe::Format::D24_UNORM_S8_UINT, {}, {false, true});
    const auto other =
        s.image(pipe::Format::R8G8B8A8_UNORM, 32, 32, pipe::bind::kColor | pipe::bind::kSampled);
    const auto view = s.screen->create_sampler_view(other, {.format = pipe::Format::R8G8B8A8_UNORM});
    const auto sampler =
        s.screen->create_sampler({.mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::None});
    REQUIRE(view);
    REQUIRE(sampler);
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    const auto textured = s.link(kTexturedVertexText, kTexturedFragmentText);
    pipe::RenderPassDesc elsewhere = s.pass;
    elsewhere.color[0].resource = other.get();
    elsewhere.color[0].load = pipe::LoadOp::Clear;
    elsewhere.clear_color[0] = {.f = {0.5f, 0.25f, 1, 1}};
    elsewhere.depth_stencil = {};

    s.context->begin_render_pass(elsewhere);
    s.rectangle(0, 0, 16, 32, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();

    s.depth_stencil({.depth_test = true, .depth_write = true});
    pipe::BlendDesc blend;
    blend.targets[0].enable = true;
    blend.targets[0].src_rgb = blend.targets[0].src_alpha = pipe::BlendFactor::SrcAlpha;
    blend.targets[0].dst_rgb = blend.targets[0].dst_alpha = pipe::BlendFactor::OneMinusSrcAlpha;
    s.blend(blend);
    s.context->set_textures(pipe::Stage::Vertex, 0, views, samplers);
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.context->bind_program(textured.get());
    s.begin(0, 0, 1, 1);
    s.rectangle(0, 0, 32, 16, 0.5f, {0, 1, 0, 0.5f});
    s.rectangle(8, 8, 24, 32, 0.25f, {1, 1, 0, 0.5f});
    s.context->end_render_pass();

    s.context->bind_program(s.program.get());
    s.context->set_textures(pipe::Stage::Vertex, 0, {}, {});
    s.context->set_textures(pipe::Stage::Fragment, 0, {}, {});
    elsewhere.color[0].load = pipe::LoadOp::Load;
    s.context->begin_render_pass(elsewhere);
    s.rectangle(4, 4, 30, 30, 0.5f, {1, 1, 1, 0.5f});
    s.context->end_render_pass();
    s.context->set_textures(pipe::Stage::Vertex, 0, views, samplers);
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.context->bind_program(textured.get());
    s.resume();
    s.rectangle(4, 4, 30, 30, 0.375f, {1, 1, 1, 0.5f});
    s.context->end_render_pass();
    const auto fence = s.context->flush(0);
    REQUIRE(fence);
    CHECK(fence->wait(pipe::Fence::kForever));
    result.complained = s.context->reset_status() == pipe::ResetStatus::Guilty;
    if (!result.complained) result.pixels = s.pixels();
    return result;
}

}  // namespace

TEST_CASE("mutation: no wait, flush or slot may be missing") {
    const Result right = draw({});
    for (const std::string& report : right.mutation.reports)
        MESSAGE(report);
    REQUIRE(!right.complained);
    CHECK(right.mutation.places.size() > 60);
    std::map<std::string, unsigned> unnoticed;
    for (const Place& p : right.mutation.places) {
        const Result r = draw(p);
        CHECK_MESSAGE(r.mutation.done, p.what);
        if (!r.complained) unnoticed[p.what]++;
    }
    for (const Unnoticed& u : kUnnoticed) {
        CHECK_MESSAGE(unnoticed[u.what] == u.count, u.what, ": ", u.why);
        unnoticed.erase(u.what);
    }
    for (const auto& [what, count] : unnoticed)
        FAIL_CHECK(count, " times nothing complains without: ", what);
}

}  // namespace terrazzo::test
