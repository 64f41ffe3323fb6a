// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Endless work. Draws are ended in robust contexts, and when a context is destroyed. Other contexts continue,
// and recorded work stays small.
#include <doctest/doctest.h>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "drivers/soft/passes/pass_queue.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr float kWhite[4] = {1, 1, 1, 1};

struct ShortLimit {
    ShortLimit() { setenv("TERRAZZO_DRAW_LIMIT", "0.2", 1); }
    ~ShortLimit() { unsetenv("TERRAZZO_DRAW_LIMIT"); }
};

/// Begins a pass and binds what draws of one or more triangles need.
struct Bound {
    explicit Bound(Scene& s) {
        const Vertex corners[] = {s.at(0, 0), s.at(64, 0), s.at(0, 64)};
        triangle = s.screen.create_resource(
            {.kind = pipe::ResourceKind::Buffer, .width = sizeof corners, .bind = pipe::bind::kVertex});
        pipe::Box box;
        box.width = sizeof corners;
        const pipe::Mapping m = s.context->map(*triangle, 0, box, pipe::map_flag::kWrite);
        REQUIRE(m.data);
        std::memcpy(m.data, corners, sizeof corners);
        s.context->unmap(*triangle, m);
        pipe::VertexLayoutDesc l;
        l.count = 2;
        l.elements[0] = {pipe::Format::R32G32B32A32_FLOAT, 0, 0, 0};
        l.elements[1] = {pipe::Format::R32G32B32A32_FLOAT, 0, 16, 0};
        layout = s.screen.create_vertex_layout(l);
        s.context->bind_vertex_layout(layout.get());
        s.context->set_viewport({{32, 32, 0.5f}, {32, 32, 0.5f}});
        const pipe::VertexBuffer binding = {triangle.get(), 0, sizeof(Vertex)};
        s.context->set_vertex_buffers({&binding, 1});
        s.paint(Paint::Varying);
        s.begin();
    }
    pipe::Ref<pipe::Resource> triangle;
    pipe::Ref<pipe::VertexLayout> layout;
};

void draw_without_end(pipe::Context& context, uint32_t vertices) {
    pipe::DrawInfo info;
    info.mode = pipe::Primitive::Triangles;
    info.instance_count = INT_MAX;
    const pipe::DrawRange range = {0, vertices, 0};
    context.draw(info, {&range, 1});
}

/// Counts allocated memory.
class Counting final : public std::pmr::memory_resource {
  public:
    std::atomic<size_t> now_B{0}, peak_B{0};

  private:
    void* do_allocate(size_t bytes, size_t alignment) override {
        now_B += bytes;
        peak_B = std::max(peak_B.load(), now_B.load());
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* p, size_t bytes, size_t alignment) override {
        now_B -= bytes;
        std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource& o) const noexcept override { return this == &o; }
};

}  // namespace

TEST_CASE("limit: a robust context's draw ends, and the context is guilty") {
    const ShortLimit limit;
    // The highest number of vertices; one triangle, repeated.
    for (const uint32_t vertices : {uint32_t(INT_MAX), 3u})
        for (const unsigned threads : {1u, 3u}) {
            CAPTURE(vertices);
            Scene s({.threads = threads, .robust = true});
            const Bound bound(s);
            CHECK(s.context->reset_status() == pipe::ResetStatus::None);
            draw_without_end(*s.context, vertices);
            CHECK(s.context->reset_status() == pipe::ResetStatus::Guilty);
            CHECK(s.context->reset_status() == pipe::ResetStatus::None);
            // Later draws end at once, without drawing.
            draw_without_end(*s.context, vertices);
            (void)s.context->flush()->wait(pipe::Fence::kForever);
            const auto other = s.screen.create_context({.robust = true});
            CHECK(other->reset_status() == pipe::ResetStatus::None);
        }
}

TEST_CASE("limit: instances of no primitive cost nothing") {
    const ShortLimit limit;
    Scene s({.robust = true});
    const Bound bound(s);
    draw_without_end(*s.context, 2);
    CHECK(s.context->reset_status() == pipe::ResetStatus::None);
}

TEST_CASE("limit: an abandoned context's draw ends, while another context draws") {
    Scene s({.threads = 2});
    const Bound bound(s);
    std::atomic<bool> ended{false};
    std::thread hung([&] {
        draw_without_end(*s.context, INT_MAX);
        ended = true;
    });
    Scene other({.threads = 2});
    for (int i = 0; i < 20; ++i) {
        other.begin();
        other.rectangle(0, 0, 64, 64, 0.5f, kWhite);
        CHECK(other.red()[70] == 255);
    }
    CHECK_FALSE(ended);
    s.context->abandon();
    hung.join();
    CHECK(ended);
}

TEST_CASE("limit: invisible instances are counted, not drawn") {
    Scene s;
    const Bound bound(s);
    s.context->set_viewport({});
    const auto q = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
    s.context->begin_query(*q);
    draw_without_end(*s.context, 3000);
    s.context->end_query(*q);
    uint64_t n = 0;
    CHECK(s.context->query_result(*q, true, &n));
    CHECK(n == uint64_t(1000) * INT_MAX);
}

TEST_CASE("limit: clears of parts of a large target, and changes of state, do not accumulate memory") {
    Counting memory;
    SoftScreen screen(create_interpreter_compiler(), 1, {}, {}, &memory);
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Tex2D;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    d.width = d.height = 4096;
    d.bind = pipe::bind::kColor;
    const auto target = screen.create_resource(d);
    REQUIRE(target);
    const auto context = screen.create_context({});
    pipe::RenderPassDesc pass;
    pass.color_count = 1;
    pass.color[0].resource = target.get();
    pass.color[0].format = d.format;
    pass.width = pass.height = 4096;
    context->begin_render_pass(pass);
    const size_t before_B = memory.now_B;
    pipe::ClearInfo clear;
    clear.attachments = pipe::attachment_bit::kColor0;
    clear.color_mask[0] = 0;
    clear.scissored = true;
    clear.scissor = {1, 1, 4095, 4095};
    clear.color_mask[0] = 15;
    for (int i = 0; i < 300; ++i)
        context->clear(clear);
    CHECK(memory.peak_B - before_B < 16u << 20);
    context->end_render_pass();
}

namespace {

/// Items that do not end while `hold` is set.
class Stuck final : public PoolJob {
  public:
    explicit Stuck(uint32_t n) { items_ = n; }
    std::atomic<bool> hold{true};
    std::atomic<uint32_t> begun{0}, done{0};

  private:
    void work(unsigned worker, TileWorker&) override {
        for (uint32_t i; next(worker, &i);) {
            ++begun;
            while (hold)
                std::this_thread::yield();
            ++done;
        }
    }
    void finish() override {}
};

}  // namespace

TEST_CASE("pool: a queue whose work never ends does not stop the others, with any kind of wait") {
    const auto pool = pipe::Ref<ThreadPool>::adopt(new ThreadPool(2));
    REQUIRE(pool->start());
    const auto endless = pipe::Ref<JobQueue>::adopt(new JobQueue(pool)),
               other = pipe::Ref<JobQueue>::adopt(new JobQueue(pool));
    Stuck stuck(100);
    const uint64_t last = pool->add(*endless, stuck);
    while (!stuck.begun)
        std::this_thread::yield();
    for (const uint64_t timeout_ns : {uint64_t(0), uint64_t(1'000'000), uint64_t(pipe::Fence::kForever)}) {
        Stuck quick(50);
        quick.hold = false;
        const uint64_t seq = pool->add(*other, quick);
        while (!other->wait(seq, timeout_ns)) {
        }
        CHECK(quick.done == 50);
    }
    CHECK(stuck.done == 0);
    // A worker leaves it after an item if another queue has no worker.
    Stuck third(1);
    third.hold = false;
    const uint64_t seq = pool->add(*other, third);
    stuck.hold = false;
    (void)other->wait(seq, pipe::Fence::kForever);
    CHECK(endless->wait(last, pipe::Fence::kForever));
    CHECK(stuck.done == 100);
    endless->close();
    other->close();
}

}  // namespace terrazzo::soft::test
