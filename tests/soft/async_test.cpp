// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work in flight. Random commands on several threads must give the result of one thread, to the bit. Waits,
// fences and queries; forks; threads that the application lends.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

#include "drivers/soft/context/query.h"
#include "drivers/soft/kernel/kernel.h"
#include "drivers/soft/passes/pass_queue.h"
#include "tests/common/sanitizers.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr float kWhite[4] = {1, 1, 1, 1};
constexpr int32_t kSize_px = 200;

/// What the players on one screen share.
struct Stock {
    explicit Stock(Scene& s) : scene(s) {
        programs[0] = s.paint(Paint::Varying);
        programs[1] = s.paint(Paint::DiscardOdd);
        programs[2] = s.paint(Paint::Texel);
        pipe::VertexLayoutDesc l;
        l.count = 3;
        l.elements[0] = {pipe::Format::R32G32B32A32_FLOAT, 0, 0, 0};
        l.elements[1] = {pipe::Format::R32G32B32A32_FLOAT, 0, 16, 0};
        l.elements[2] = {pipe::Format::R32_FLOAT, 0, 32, 0};
        layout = s.screen.create_vertex_layout(l);
        pipe::BlendDesc b;
        b.targets[0].enable = true;
        b.targets[0].src_rgb = b.targets[0].src_alpha = pipe::BlendFactor::SrcAlpha;
        b.targets[0].dst_rgb = b.targets[0].dst_alpha = pipe::BlendFactor::OneMinusSrcAlpha;
        blending = s.screen.create_blend(b);
        depth[0] = s.screen.create_depth_stencil({});
        depth[1] = s.screen.create_depth_stencil(
            {.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Less});
        depth[2] =
            s.screen.create_depth_stencil({.depth_test = true, .depth_compare = pipe::Compare::Greater});
    }
    Scene& scene;
    pipe::Ref<pipe::Program> programs[3];
    pipe::Ref<pipe::VertexLayout> layout;
    pipe::Ref<pipe::BlendState> blending;
    pipe::Ref<pipe::DepthStencilState> depth[3];
};

/// Plays random commands on its own context and records everything that it can observe.
class Player {
  public:
    Player(const Stock& stock, unsigned seed)
        : stock_(stock), screen_(stock.scene.screen), random_(seed), c_(screen_.create_context({})) {
        for (auto& i : images_)
            i = image(pipe::Format::R8G8B8A8_UNORM);
        depth_ = image(pipe::Format::D24_UNORM_S8_UINT);
        const float half = float(kSize_px) / 2;
        c_->set_viewport({{half, half, 0.5f}, {half, half, 0.5f}});
        c_->bind_vertex_layout(stock.layout.get());
        for (auto& q : queries_)
            q = c_->create_query(pipe::QueryKind::Samples);
    }

    std::vector<uint64_t> play(unsigned commands) {
        for (unsigned i = 0; i < commands; ++i)
            step();
        end_pass();
        for (auto& i : images_)
            read(*i, {0, 0, 0, kSize_px, kSize_px, 1});
        read(*depth_, {0, 0, 0, kSize_px, kSize_px, 1});
        c_.reset();
        return std::move(seen_);
    }

  private:
    unsigned below(unsigned n) { return unsigned(random_() % n); }
    float number() { return float(below(1024)) / 1023; }

    pipe::Ref<pipe::Resource> image(pipe::Format f) {
        return screen_.create_resource({.format = f, .width = kSize_px, .height = kSize_px});
    }

    void step() {
        switch (below(16)) {
            case 0:
            case 1:
                return begin_pass();
            case 2:
                return upload();
            case 3:
                end_pass();
                return read(*images_[below(3)], {int32_t(below(100)), int32_t(below(100)), 0, 50, 3, 1});
            case 4:
                end_pass();
                return c_->copy_region(*images_[below(3)], 0, int32_t(below(100)), int32_t(below(100)), 0,
                                       *images_[below(3)], 0, {int32_t(below(100)), 20, 0, 90, 70, 1});
            case 5:
                return clear();
            case 6:
                return query();
            case 7:
                return submit();
            case 8:
                return grid(below(4) == 0 ? 70 : 8);
            case 9: {  // the old image lives as long as recorded draws use it
                pipe::Ref<pipe::Resource>& i = images_[1 + below(2)];
                end_pass();
                target_ = ~0u;
                i = image(pipe::Format::R8G8B8A8_UNORM);
                return;
            }
            default:
                return grid(1 + below(2));
        }
    }

    void begin_pass() {
        end_pass();
        target_ = below(3);
        pipe::RenderPassDesc p;
        p.color_count = 1;
        p.color[0].resource = images_[target_].get();
        p.color[0].format = pipe::Format::R8G8B8A8_UNORM;
        p.depth_stencil.resource = depth_.get();
        p.depth_stencil.format = pipe::Format::D24_UNORM_S8_UINT;
        if (below(2)) p.color[0].load = pipe::LoadOp::Clear;
        if (below(2)) p.depth_stencil.load = pipe::LoadOp::Clear;
        for (float& f : p.clear_color[0].f)
            f = number();
        p.clear_depth = number();
        p.width = p.height = kSize_px;
        c_->begin_render_pass(p);
        in_pass_ = true;
    }
    void end_pass() {
        if (query_open_) c_->end_query(*queries_[open_query_]);
        query_open_ = false;
        if (in_pass_) c_->end_render_pass();
        in_pass_ = false;
    }

    void clear() {
        if (!in_pass_) begin_pass();
        pipe::ClearInfo i;
        i.attachments = below(2) ? pipe::attachment_bit::kColor0 : pipe::attachment_bit::kDepth;
        i.depth = number();
        i.color[0].f[0] = number();
        i.scissored = below(2);
        i.scissor = {int32_t(below(100)), int32_t(below(100)), int32_t(100 + below(100)), 180};
        c_->clear(i);
    }

    /// n x n squares of two triangles each, on a random part of the target.
    void grid(unsigned n) {
        if (!in_pass_) begin_pass();
        const unsigned program = below(3);
        c_->bind_program(stock_.programs[program].get());
        c_->bind_blend(below(2) ? stock_.blending.get() : nullptr);
        c_->bind_depth_stencil(stock_.depth[below(3)].get());
        if (program == 2) {
            pipe::SamplerViewDesc d;
            d.format = pipe::Format::R8G8B8A8_UNORM;
            const auto view = screen_.create_sampler_view(images_[target_ == 0 ? 1 + below(2) : 0], d);
            pipe::SamplerView* const v = view.get();
            pipe::SamplerState* const none = nullptr;
            c_->set_textures(pipe::Stage::Fragment, 0, {&v, 1}, {&none, 1});
            draw_grid(n);
            pipe::SamplerView* const no_view = nullptr;
            c_->set_textures(pipe::Stage::Fragment, 0, {&no_view, 1}, {&none, 1});
            return;
        }
        draw_grid(n);
    }
    void draw_grid(unsigned n) {
        std::vector<Vertex> v;
        const float x0 = number() * 2 - 1, y0 = number() * 2 - 1, w = number() * 1.5f, h = number() * 1.5f;
        const float z = number() * 2 - 1, slope = number() - 0.5f;
        for (unsigned i = 0; i < n; ++i)
            for (unsigned k = 0; k < n; ++k)
                for (const unsigned corner : {0u, 1u, 2u, 2u, 1u, 3u}) {
                    Vertex p;
                    const float s = float(k + (corner & 1)) / float(n),
                                t = float(i + (corner >> 1)) / float(n);
                    p.position[0] = x0 + s * w;
                    p.position[1] = y0 + t * h;
                    p.position[2] = z + slope * s;
                    for (float& f : p.color)
                        f = number();
                    v.push_back(p);
                }
        const auto vb = screen_.create_resource(
            {.kind = pipe::ResourceKind::Buffer, .width = uint32_t(v.size() * sizeof(Vertex))});
        std::memcpy(soft(*vb).data(), v.data(), v.size() * sizeof(Vertex));
        const pipe::VertexBuffer binding = {vb.get(), 0, sizeof(Vertex)};
        c_->set_vertex_buffers({&binding, 1});
        const pipe::DrawRange range = {0, uint32_t(v.size()), 0};
        c_->draw({.mode = pipe::Primitive::Triangles}, {&range, 1});
        c_->set_vertex_buffers({});
    }

    void upload() {
        end_pass();
        const pipe::Box b = {int32_t(below(100)), int32_t(below(100)), 0, 40, 40, 1};
        const pipe::Mapping m = c_->map(*images_[below(3)], 0, b, pipe::map_flag::kWrite);
        const uint8_t value = uint8_t(below(256));
        for (size_t y = 0; y < 40; ++y)
            std::memset(static_cast<uint8_t*>(m.data) + y * m.row_stride_B, value, 160);
        c_->unmap(*images_[0], m);
    }

    void read(pipe::Resource& r, const pipe::Box& b) {
        const pipe::Mapping m = c_->map(r, 0, b, pipe::map_flag::kRead);
        uint64_t hash = 0xcbf29ce484222325;
        for (int32_t y = 0; y < b.height; ++y)
            for (int32_t x = 0; x < b.width * 4; ++x)
                hash = (hash ^ (static_cast<uint8_t*>(m.data)[size_t(y) * m.row_stride_B + size_t(x)])) *
                       0x100000001b3;
        seen_.push_back(hash);
        c_->unmap(r, m);
    }

    void query() {
        const unsigned i = below(2);
        if (query_open_) {
            c_->end_query(*queries_[open_query_]);
            query_open_ = false;
            used_[open_query_] = true;
        } else if (used_[i]) {
            uint64_t n = 0;
            const bool poll = below(2);
            while (!c_->query_result(*queries_[i], !poll, &n))
                std::this_thread::yield();
            seen_.push_back(n);
            used_[i] = false;
        } else {
            c_->begin_query(*queries_[i]);
            open_query_ = i;
            query_open_ = true;
        }
    }

    void submit() {
        end_pass();
        const auto fence = c_->flush();
        const unsigned how = below(4);
        if (how == 0) (void)fence->wait(pipe::Fence::kForever);
        if (how == 1)
            while (!fence->wait(100000)) {
            }
        if (how == 2) c_->wait_fence(*fence);
    }

    const Stock& stock_;
    SoftScreen& screen_;
    std::mt19937 random_;
    std::unique_ptr<pipe::Context> c_;
    pipe::Ref<pipe::Resource> images_[3], depth_;
    pipe::Ref<pipe::Query> queries_[2];
    std::vector<uint64_t> seen_;
    unsigned target_ = ~0u, open_query_ = 0;
    bool in_pass_ = false, query_open_ = false, used_[2] = {};
};

std::vector<uint64_t> alone(unsigned seed, unsigned commands) {
    Scene s({.width = 8, .height = 8, .threads = 1});
    const Stock stock(s);
    return Player(stock, seed).play(commands);
}

/// Records much work in one pass of 1024 x 1024.
void heavy(Scene& s) {
    s.begin();
    for (int i = 0; i < 4; ++i)
        s.rectangle(0, 0, 1024, 1024, 0.5f, kWhite);
    s.context->end_render_pass();
}

}  // namespace

TEST_CASE("random commands have the same results on 1 to 8 threads") {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const std::vector<uint64_t> expected = alone(seed, 250);
        REQUIRE(expected.size() > 10);
        for (const unsigned threads : {2u, 3u, 8u}) {
            CAPTURE(seed);
            CAPTURE(threads);
            Scene s({.width = 8, .height = 8, .threads = threads});
            const Stock stock(s);
            CHECK(Player(stock, seed).play(250) == expected);
        }
    }
}

TEST_CASE("contexts of one screen on several threads do not disturb each other") {
    std::vector<std::vector<uint64_t>> expected, got(4);
    for (unsigned i = 0; i < 4; ++i)
        expected.push_back(alone(100 + i, 200));
    Scene s({.width = 8, .height = 8, .threads = 3});
    const Stock stock(s);
    std::vector<std::thread> players;
    for (unsigned i = 0; i < 4; ++i)
        players.emplace_back([&, i] { got[i] = Player(stock, 100 + i).play(200); });
    for (std::thread& t : players)
        t.join();
    CHECK(got == expected);
}

TEST_CASE("a fence outlives its context and its screen") {
    pipe::Ref<pipe::Fence> fence;
    {
        Scene s({.width = 1024, .height = 1024, .threads = 3});
        heavy(s);
        fence = s.context->flush();
        REQUIRE(fence);
    }
    CHECK(fence->wait(0));
    CHECK(fence->wait(pipe::Fence::kForever));
}

TEST_CASE("another context waits for a fence and samples what was drawn") {
    Scene s({.width = 1024, .height = 1024, .threads = 2});
    const Stock stock(s);
    s.paint(Paint::Varying);
    heavy(s);
    const pipe::Ref<pipe::Fence> fence = s.context->flush();
    std::vector<uint8_t> red;
    std::thread other([&] {
        const std::unique_ptr<pipe::Context> c = s.screen.create_context({});
        c->wait_fence(*fence);
        const pipe::Mapping m = c->map(*s.color, 0, {0, 1023, 0, 1024, 1, 1}, pipe::map_flag::kRead);
        for (size_t x = 0; x < 1024; ++x)
            red.push_back(static_cast<uint8_t*>(m.data)[x * 4]);
    });
    other.join();
    CHECK(std::count(red.begin(), red.end(), 255) == 1024);
}

TEST_CASE("only accesses that touch unfinished work wait") {
    // No thread is lent: queued work stays until the CPU waits for it.
    const Executor none = {[](void*, void (*task)(void*), void* arg) {
                               static_cast<void>(task);
                               static_cast<ThreadPool*>(arg)->release();  // as the task would do it
                           },
                           nullptr};
    Scene s({.width = 1024, .height = 1024, .threads = 2, .executor = none});
    const auto other =
        s.screen.create_resource({.format = pipe::Format::R8G8B8A8_UNORM, .width = 8, .height = 8});
    heavy(s);
    const auto query = s.context->create_query(pipe::QueryKind::Samples);
    s.pass.color[0].load = pipe::LoadOp::Load;
    s.context->begin_render_pass(s.pass);
    s.context->begin_query(*query);
    s.rectangle(0, 0, 200, 100, 0.5f, kWhite);
    s.context->end_query(*query);
    s.context->end_render_pass();
    const pipe::Ref<pipe::Fence> fence = s.context->flush();
    const uint32_t read = pipe::map_flag::kRead, write = pipe::map_flag::kWrite,
                   look = pipe::map_flag::kDontBlock;
    CHECK_FALSE(fence->wait(0));
    CHECK_FALSE(fence->wait(1000));
    uint64_t n = 0;
    CHECK_FALSE(s.context->query_result(*query, false, &n));
    CHECK(s.context->map(*other, 0, {0, 0, 0, 8, 8, 1}, write | look).data);
    CHECK_FALSE(s.context->map(*s.color, 0, {0, 0, 0, 8, 8, 1}, read | look).data);
    CHECK_FALSE(fence->wait(0));
    const pipe::Mapping m = s.context->map(*s.color, 0, {5, 5, 0, 8, 8, 1}, read);
    CHECK(static_cast<uint8_t*>(m.data)[0] == 255);
    CHECK(fence->wait(0));
    CHECK(s.context->query_result(*query, false, &n));
    CHECK(n == 200 * 100);
}

TEST_CASE("lent threads draw and are returned") {
    struct Lender {
        std::mutex mutex;
        std::vector<std::thread> threads;
        int lent = 0;
    } lender;
    const Executor executor = {[](void* user, void (*task)(void*), void* arg) {
                                   Lender& l = *static_cast<Lender*>(user);
                                   const std::lock_guard lock(l.mutex);
                                   ++l.lent;
                                   l.threads.emplace_back(task, arg);
                               },
                               &lender};
    {
        Scene s({.width = 1024, .height = 1024, .threads = 3, .executor = executor});
        for (int i = 0; i < 3; ++i) {
            heavy(s);
            const std::vector<uint8_t> red = s.red();
            CHECK(std::count(red.begin(), red.end(), 255) == 1024 * 1024);
        }
    }
    CHECK(lender.lent >= 1);
    for (std::thread& t : lender.threads)
        t.join();
    const Executor at_once = {[](void*, void (*task)(void*), void* arg) { task(arg); }, nullptr};
    Scene s({.width = 1024, .height = 1024, .threads = 3, .executor = at_once});
    heavy(s);
    CHECK(s.context->flush()->wait(0));
}

TEST_CASE("a child process works without the parent's threads") {
    if (terrazzo::test::kThreadSanitizer) return;
    Scene s({.width = 1024, .height = 1024, .threads = 3});
    heavy(s);
    CHECK(s.red()[0] == 255);
    heavy(s);
    const pipe::Ref<pipe::Fence> fence = s.context->flush();
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(60);
        (void)fence->wait(pipe::Fence::kForever);
        heavy(s);
        const std::vector<uint8_t> red = s.red();
        s.context.reset();
        _exit(std::count(red.begin(), red.end(), 255) == 1024 * 1024 ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(s.red()[0] == 255);
}

TEST_CASE("no thread is started for little work") {
    Scene s({.width = 64, .height = 64, .threads = 8});
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, kWhite);
    CHECK(s.red()[0] == 255);
    CHECK(s.context->flush()->wait(0));
    CHECK_FALSE(s.screen.pool()->has_threads());
}

TEST_CASE("much work begins before its result is needed") {
    Scene s({.width = 1024, .height = 1024, .threads = 2});
    s.begin();
    s.rectangle(0, 0, 1024, 1024, 0.5f, kWhite);
    CHECK_FALSE(s.screen.pool()->has_threads());
    s.rectangle(0, 0, 1, 1, 0.5f, kWhite);
    CHECK(s.screen.pool()->has_threads());
}

TEST_CASE("a pass continues with the depth bounds of the previous one") {
    ZeroedMemory memory;
    const auto depth =
        SoftResource::create({.format = pipe::Format::D24_UNORM_X8, .width = 100, .height = 100}, &memory);
    pipe::RenderPassDesc d;
    d.depth_stencil.resource = depth.get();
    d.depth_stencil.format = pipe::Format::D24_UNORM_X8;
    d.depth_stencil.load = pipe::LoadOp::Clear;
    d.clear_depth = 0.25f;
    d.width = d.height = 100;
    Pass first(&memory, 1 << 20), second(&memory, 1 << 20);
    first.begin(d);
    first.attach_next(&second);
    CHECK(second.continues(d));
    CHECK_FALSE(second.pending());
    const auto run_tile = select_run_tile();
    auto worker = std::make_unique<TileWorker>();
    Watch watch;
    const TimeLimit limit(pipe::kNoTimeLimit_ns);
    const ForeignUses uses(limit, pipe::kDrawLimit_ns, {});
    CHECK(first.job().depth_bounds == nullptr);
    first.prepare(1, watch, &memory, uses);
    REQUIRE(first.job().depth_bounds != nullptr);
    CHECK(first.job().depth_bounds[0] == kNoBound);
    worker->samples = first.samples_of(0);
    CHECK(first.tile_count() == 4);
    for (uint32_t i = 0; i < first.tile_count(); ++i)
        CHECK(first.run_tile(run_tile, i, *worker));
    second.prepare(1, watch, &memory, uses);
    CHECK(second.job().depth_bounds == first.job().depth_bounds);
    first.finish();
    CHECK(first.job().depth_bounds == nullptr);
    for (unsigned i = 0; i < 4 * kBoundsPerTile; ++i)
        CHECK(second.job().depth_bounds[i] == 0.25f);
    second.finish();
    second.detach();
    CHECK(second.writes(*depth) == false);
    CHECK(first.writes(*depth));
}

TEST_CASE("an arena shrinks after a peak") {
    ZeroedMemory memory;
    Arena a(&memory);
    for (int i = 0; i < 40; ++i)
        (void)a.allocate(200000);
    a.reset();
    const size_t peak_B = a.held_B();
    CHECK(peak_B >= 40 * 200000);
    for (int i = 0; i < 400; ++i) {
        (void)a.allocate(100);
        a.reset();
    }
    CHECK(a.held_B() < peak_B / 3);
}

}  // namespace terrazzo::soft::test
