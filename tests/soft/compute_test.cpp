// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches: barriers in loops, shared memory, atomics of many workgroups, images, arrays and time limits,
// with every compiler, with one thread and with three.
#include "tests/soft/jit_harness.h"

#include "drivers/soft/resources/image_view.h"
#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/ir/parse.h"

namespace terrazzo::soft::test {

namespace {

using Words = std::vector<uint32_t>;

enum class Maker { Interpreter, First, Llvm4, Llvm8, Llvm16 };
constexpr Maker kMakers[] = {Maker::Interpreter, Maker::First, Maker::Llvm4, Maker::Llvm8, Maker::Llvm16};

std::unique_ptr<ShaderCompiler> create_compiler(Maker m) {
    switch (m) {
        case Maker::Interpreter:
            return create_interpreter_compiler();
        case Maker::First:
            return create_tier1_compiler();
        case Maker::Llvm4:
            return create_jit_compiler(4);
        case Maker::Llvm8:
            return create_jit_compiler(8);
        case Maker::Llvm16:
            return create_jit_compiler(16);
    }
    return nullptr;
}

struct Device {
    terrazzo::test::Messages messages;
    const pipe::Log log = messages.log();
    SoftScreen screen;
    std::unique_ptr<pipe::Context> context;
    pipe::Ref<pipe::Program> program;

    Device(std::unique_ptr<ShaderCompiler> compiler, unsigned threads, bool robust = false)
        : screen(std::move(compiler), threads, log) {
        pipe::ContextDesc desc;
        desc.robust = robust;
        context = screen.create_context(desc);
        REQUIRE(context);
    }
    void use(const std::string& text) {
        const ir::ParseResult r = ir::parse(text);
        REQUIRE_MESSAGE(r.shader, r.error);
        REQUIRE(ir::validate(*r.shader, ir::Phase::AfterLink) == "");
        pipe::ProgramDesc desc;
        desc.stages[size_t(pipe::Stage::Compute)] = r.shader.get();
        program = screen.create_program(desc, log);
        REQUIRE_MESSAGE(program, messages);
        context->bind_program(program.get());
    }
    pipe::Ref<pipe::Resource> buffer(const Words& words) {
        pipe::ResourceDesc desc;
        desc.kind = pipe::ResourceKind::Buffer;
        desc.width = uint32_t(words.size() * 4);
        desc.bind = pipe::bind::kStorage;
        auto r = screen.create_resource(desc);
        REQUIRE(r);
        std::memcpy(static_cast<SoftResource&>(*r).data(), words.data(), words.size() * 4);
        return r;
    }
    void bind(uint32_t slot, pipe::Resource& r) {
        const pipe::BufferRange range{&r, 0, r.desc.width};
        context->set_storage_buffers(pipe::Stage::Compute, slot, std::span(&range, 1));
    }
    void dispatch(uint32_t x, uint32_t y = 1, uint32_t z = 1) {
        pipe::DispatchInfo info;
        info.groups[0] = x;
        info.groups[1] = y;
        info.groups[2] = z;
        context->dispatch(info);
    }
    static Words words(pipe::Resource& r) {
        Words w(r.desc.width / 4);
        std::memcpy(w.data(), static_cast<SoftResource&>(r).data(), w.size() * 4);
        return w;
    }
};

template <class Body>
void with_all(Body&& body) {
    for (const Maker m : kMakers)
        for (const unsigned threads : {1u, 3u}) {
            auto compiler = create_compiler(m);
            if (!compiler) continue;
            CAPTURE(compiler->name());
            CAPTURE(threads);
            Device d(std::move(compiler), threads);
            body(d);
        }
}

/// In each iteration every invocation of a group of 37 adds its neighbour's value, through shared memory.
/// There are five iterations.
constexpr const char* kNeighbours = R"(compute {
  info shared_B=160 workgroup_size=37,1,1
  %0: i32 = load_sysval local_invocation_index.x
  %1: i32 = load_sysval work_group_id.x
  %2: i32 = const 37
  %3: i32 = imul %1, %2
  %4: i32 = iadd %3, %0
  %5: i32 = const 2
  %6: i32 = ishl %0, %5
  %7: i32 = ishl %4, %5
  %8: i32 = const 0
  %9: i32 = const 1
  %10: i32 = const 5
  %11: i32 = iadd %0, %9
  %12: i32 = umod %11, %2
  %13: i32 = ishl %12, %5
  %14: i32 = load_buffer buffer binding=0 (%7)
  %15: i32 = loop (%16: i32 = %14, %17: i32 = %8) {
    store_buffer shared binding=0 (%6, %16)
    barrier execution=workgroup memory=workgroup shared ()
    %18: i32 = load_buffer shared binding=0 (%13)
    %19: i32 = iadd %16, %18
    barrier execution=workgroup memory=workgroup shared ()
    %20: i32 = iadd %17, %9
    %21: bool = ult %20, %10
    if %21 {
    } else {
      break %19
    }
    continue %19, %20
  }
  store_buffer buffer binding=0 (%7, %15)
})";

/// Groups of 16x4. For invocation x, y: s[y][x] = in[group * 64 + index]; out = the sum of s[y][k] * s[k &
/// 3][x] for k below 16, in a loop that all leave together. The vector at 4 * index is copied back to its
/// position, with k added to word k.
constexpr const char* kTile = R"(compute {
  info shared_B=512 workgroup_size=16,4,1
  %0: i32 = load_sysval local_invocation_id.x
  %1: i32 = load_sysval local_invocation_id.y
  %2: i32 = load_sysval local_invocation_index.x
  %3: i32 = load_sysval work_group_id.x
  %4: i32 = const 2
  %5: i32 = const 6
  %6: i32 = const 16
  %7: i32 = const 0
  %8: i32 = const 1
  %9: i32 = const 3
  %10: i32 = const 15
  %11: i32 = const 4
  %12: i32 = ishl %3, %5
  %13: i32 = iadd %12, %2
  %14: i32 = ishl %13, %4
  %15: i32 = load_buffer buffer binding=0 (%14)
  %16: i32 = umin %1, %9
  %17: i32 = umin %0, %10
  %18: i32 = ishl %16, %5
  %19: i32 = ishl %17, %4
  %20: i32 = iadd %18, %19
  store_buffer shared binding=0 (%19, %7)
  store_buffer shared binding=0 offset_B=256 (%20, %15)
  barrier execution=workgroup memory=workgroup shared ()
  %21: i32 = loop (%22: i32 = %7, %23: i32 = %7) {
    %24: bool = uge %23, %6
    if %24 {
      break %22
    }
    %25: i32 = ishl %23, %4
    %26: i32 = iadd %18, %25
    %27: i32 = load_buffer shared binding=0 offset_B=256 (%26)
    %28: i32 = iand %23, %9
    %29: i32 = ishl %28, %5
    %30: i32 = iadd %29, %19
    %31: i32 = load_buffer shared binding=0 offset_B=256 (%30)
    %32: i32 = imul %27, %31
    %33: i32 = iadd %22, %32
    %34: i32 = iadd %23, %8
    continue %33, %34
  }
  store_buffer buffer binding=1 (%14, %21)
  %35: i32 = ishl %13, %11
  %36: i32, %37: i32, %38: i32, %39: i32 = load_buffer buffer binding=2 words=4 (%35)
  %40: i32 = iadd %36, %7
  %41: i32 = iadd %37, %8
  %42: i32 = iadd %38, %4
  %43: i32 = iadd %39, %9
  store_buffer buffer binding=2 words=4 (%35, %40, %41, %42, %43)
  %44: i32 = iand %15, %10
  %45: i32 = ishl %44, %4
  %46: i32 = atomic_buffer add shared binding=0 (%45, %8)
  %47: i32 = atomic_buffer umax buffer binding=3 (%45, %46)
  barrier execution=workgroup memory=workgroup shared ()
  %48: i32 = load_buffer shared binding=0 (%19)
  %49: i32 = atomic_buffer add buffer binding=4 (%19, %48)
})";

}  // namespace

TEST_CASE("compute: tiles of shared memory, vectors, and counting, in groups of two dimensions") {
    constexpr uint32_t kGroups = 9;
    // The last vectors are beyond the buffer; its end is in the middle of a vector and of a row of lanes.
    Words in(kGroups * 64), vectors(kGroups * 256 - 23);
    for (uint32_t n = 0; n < in.size(); ++n)
        in[n] = n * 2654435761u >> 7;
    for (uint32_t n = 0; n < vectors.size(); ++n)
        vectors[n] = 3 * n;
    Words sums(in.size()), moved = vectors, counts(16), most(16);
    for (uint32_t n = 0; n < in.size(); ++n) {
        const uint32_t* const tile = &in[n / 64 * 64];
        for (uint32_t k = 0; k < 16; ++k)
            sums[n] += tile[n % 64 / 16 * 16 + k] * tile[(k & 3) * 16 + n % 16];
    }
    for (uint32_t n = 0; n < moved.size(); ++n)
        moved[n] += n % 4;
    for (uint32_t group = 0; group < kGroups; ++group) {
        Words own(16);
        for (uint32_t n = 0; n < 64; ++n)
            ++own[in[group * 64 + n] & 15];
        for (uint32_t bin = 0; bin < 16; ++bin) {
            counts[bin] += own[bin] * 4;  // one row of each of 4 lines adds it
            if (own[bin]) most[bin] = std::max(most[bin], own[bin] - 1);
        }
    }
    with_all([&](Device& d) {
        d.use(kTile);
        const auto a = d.buffer(in), b = d.buffer(Words(in.size())), c = d.buffer(vectors),
                   e = d.buffer(Words(16)), f = d.buffer(Words(16));
        uint32_t slot = 0;
        for (const auto& r : {a, b, c, e, f})
            d.bind(slot++, *r);
        d.dispatch(kGroups);
        CHECK(Device::words(*b) == sums);
        CHECK(Device::words(*c) == moved);
        CHECK(Device::words(*e) == most);
        CHECK(Device::words(*f) == counts);
    });
}

TEST_CASE("compute: barriers in a loop order shared memory") {
    Words start(37 * 40);
    for (size_t n = 0; n < start.size(); ++n)
        start[n] = uint32_t(n * n + 1);
    Words expected = start;
    for (size_t group = 0; group < 40; ++group)
        for (int turn = 0; turn < 5; ++turn) {
            const Words before(expected.begin() + ptrdiff_t(group * 37),
                               expected.begin() + ptrdiff_t(group * 37 + 37));
            for (size_t n = 0; n < 37; ++n)
                expected[group * 37 + n] = before[n] + before[(n + 1) % 37];
        }
    with_all([&](Device& d) {
        d.use(kNeighbours);
        const auto buffer = d.buffer(start);
        d.bind(0, *buffer);
        d.dispatch(40);
        CHECK(Device::words(*buffer) == expected);
    });
}

TEST_CASE("compute: atomics of many workgroups, and workgroup ids") {
    // Word 0: the number of invocations; words 1 to 3: sums of workgroup ids; 4 to 6: sums of local ids; 7:
    // the number of groups.
    const char* const text = R"(compute {
  info workgroup_size=3,5,2
  %0: i32 = const 0
  %1: i32 = const 1
  %2: i32 = load_sysval work_group_id.x
  %3: i32 = load_sysval work_group_id.y
  %4: i32 = load_sysval work_group_id.z
  %5: i32 = load_sysval local_invocation_id.x
  %6: i32 = load_sysval local_invocation_id.y
  %7: i32 = load_sysval local_invocation_id.z
  %8: i32 = load_sysval num_work_groups.x
  %9: i32 = load_sysval num_work_groups.y
  %10: i32 = imul %8, %9
  %11: i32 = atomic_buffer add buffer binding=1 (%0, %1)
  %12: i32 = atomic_buffer add buffer binding=1 offset_B=4 (%0, %2)
  %13: i32 = atomic_buffer add buffer binding=1 offset_B=8 (%0, %3)
  %14: i32 = atomic_buffer add buffer binding=1 offset_B=12 (%0, %4)
  %15: i32 = atomic_buffer add buffer binding=1 offset_B=16 (%0, %5)
  %16: i32 = atomic_buffer add buffer binding=1 offset_B=20 (%0, %6)
  %17: i32 = atomic_buffer add buffer binding=1 offset_B=24 (%0, %7)
  %18: i32 = atomic_buffer umax buffer binding=1 offset_B=28 (%0, %10)
})";
    with_all([&](Device& d) {
        d.use(text);
        const auto buffer = d.buffer(Words(8));
        d.bind(1, *buffer);
        d.dispatch(7, 4, 5);
        constexpr uint32_t kGroups = 7 * 4 * 5;
        CHECK(Device::words(*buffer) == Words{kGroups * 30, 21 * 20 * 30, 6 * 35 * 30, 10 * 28 * 30,
                                              kGroups * 30, kGroups * 60, kGroups * 15, 28});
        d.dispatch(0);
        CHECK(Device::words(*buffer)[0] == kGroups * 30);
        const auto groups = d.buffer(Words{9, 2, 1, 1});
        pipe::DispatchInfo indirect;
        indirect.indirect = {groups.get(), 4, 12};
        d.context->dispatch(indirect);
        CHECK(Device::words(*buffer)[0] == kGroups * 30 + 60);
        indirect.indirect.offset_B = 8;  // the buffer is too short for it
        d.context->dispatch(indirect);
        CHECK(Device::words(*buffer)[0] == kGroups * 30 + 60);
    });
}

TEST_CASE("compute: every atomic on shared memory and on a buffer, within and beyond the range") {
    // Invocation n uses word (5 n) mod 64, only itself, of 40 words in shared memory and in buffer 1. It
    // executes the operation with its value, then with 5, without using the second result.
    constexpr uint32_t kCount = 61, kThere = 40;
    const char* const names[] = {"add", "imin", "imax", "umin",     "umax",
                                 "and", "or",   "xor",  "exchange", "compare_exchange"};
    Words first(64), values(64);
    for (uint32_t n = 0; n < 64; ++n) {
        first[n] = n * 2654435761u;
        values[n] = n % 3 ? (n + 9) * 2246822519u : n;
    }
    for (unsigned k = 0; k < std::size(names); ++k) {
        const auto op = ir::MemOp(k + 1);
        const std::string compare = op == ir::MemOp::CompareExchange ? "%10, " : "", name = names[k];
        const std::string text = R"(compute {
  info shared_B=160 workgroup_size=61,1,1
  %0: i32 = load_sysval local_invocation_index.x
  %1: i32 = const 2
  %2: i32 = const 5
  %3: i32 = const 63
  %4: i32 = const -2
  %5: i32 = ishl %0, %1
  %6: i32 = imul %0, %2
  %7: i32 = iand %6, %3
  %8: i32 = ishl %7, %1
  %9: i32 = load_buffer buffer binding=0 (%8)
  %10: i32 = iand %9, %4
  %11: i32 = load_buffer buffer binding=2 (%5)
  store_buffer shared binding=0 (%8, %9)
  %12: i32 = atomic_buffer )" + name +
                                 " shared binding=0 (%8, " + compare + R"(%11)
  %13: i32 = load_buffer shared binding=0 (%8)
  %14: i32 = atomic_buffer )" + name +
                                 " shared binding=0 (%8, " + compare + R"(%2)
  %15: i32 = load_buffer shared binding=0 (%8)
  %16: i32 = atomic_buffer )" + name +
                                 " buffer binding=1 (%8, " + compare + R"(%11)
  %17: i32 = atomic_buffer )" + name +
                                 " buffer binding=1 (%8, " + compare + R"(%2)
  store_buffer buffer binding=3 (%5, %12)
  store_buffer buffer binding=4 (%5, %13)
  store_buffer buffer binding=5 (%5, %15)
  store_buffer buffer binding=6 (%5, %16)
})";
        Words olds(kCount), ones(kCount), twos(kCount), buffer(first.begin(), first.begin() + kThere);
        for (uint32_t n = 0; n < kCount; ++n) {
            const uint32_t at = 5 * n & 63;
            if (at >= kThere) continue;
            olds[n] = first[at];
            ones[n] = ir::apply(op, olds[n], first[at] & ~1u, values[n]);
            buffer[at] = twos[n] = ir::apply(op, ones[n], first[at] & ~1u, 5);
        }
        INFO(text);
        with_all([&](Device& d) {
            d.use(text);
            pipe::Ref<pipe::Resource> r[7];
            for (uint32_t n = 0; n < 7; ++n) {
                const Words changed(first.begin(), first.begin() + kThere);
                r[n] = d.buffer(n == 0 ? first : n == 1 ? changed : n == 2 ? values : Words(kCount));
                d.bind(n, *r[n]);
            }
            d.dispatch(1);
            CHECK(Device::words(*r[1]) == buffer);
            CHECK(Device::words(*r[3]) == olds);
            CHECK(Device::words(*r[4]) == ones);
            CHECK(Device::words(*r[5]) == twos);
            CHECK(Device::words(*r[6]) == olds);
        });
    }
}

TEST_CASE("compute: loads and stores in order, scattered, of one word, and beyond the range") {
    // Invocation n loads the words n, 0 and (7 n) mod 64 of a buffer of 50 words. It stores their sum at n
    // and at (5 n) mod 64 of other buffers, which have 41 words and a byte.
    const char* const text = R"(compute {
  info shared_B=160 workgroup_size=61,1,1
  %0: i32 = load_sysval local_invocation_index.x
  %1: i32 = const 2
  %2: i32 = const 7
  %3: i32 = const 63
  %4: i32 = const 5
  %5: i32 = ishl %0, %1
  %6: i32 = imul %0, %2
  %7: i32 = iand %6, %3
  %8: i32 = ishl %7, %1
  %9: i32 = imul %0, %4
  %10: i32 = iand %9, %3
  %11: i32 = ishl %10, %1
  %12: i32 = isub %0, %0
  %13: i32 = load_buffer buffer binding=0 (%5)
  %14: i32 = load_buffer buffer binding=0 (%12)
  %15: i32 = load_buffer buffer binding=0 (%8)
  %16: i32 = iadd %13, %14
  %17: i32 = iadd %16, %15
  store_buffer buffer binding=1 (%5, %17)
  store_buffer buffer binding=2 (%11, %17)
  store_buffer shared binding=0 (%5, %17)
  %18: i32 = load_buffer shared binding=0 (%5)
  store_buffer buffer binding=3 (%5, %18)
  %19: i32 = load_buffer buffer binding=7 (%5)
  store_buffer buffer binding=8 (%5, %18)
  store_buffer buffer binding=4 (%5, %19)
})";
    Words from(50);
    for (uint32_t n = 0; n < 50; ++n)
        from[n] = 1000 + 3 * n * n;
    const auto word = [&](uint32_t n) { return n < 50 ? from[n] : 0; };
    Words in_order(64, 9), scattered(64, 9), shared(64, 9);
    for (uint32_t n = 0; n < 61; ++n) {
        const uint32_t sum = word(n) + word(0) + word(7 * n & 63);
        if (n < 41) in_order[n] = sum;
        if ((5 * n & 63) < 41) scattered[5 * n & 63] = sum;
        shared[n] = n < 40 ? sum : 0;
    }
    with_all([&](Device& d) {
        d.use(text);
        const auto source = d.buffer(from), kept = d.buffer(Words(64, 9)), nothing = d.buffer(Words(64, 9));
        pipe::Ref<pipe::Resource> to[2] = {d.buffer(Words(64, 9)), d.buffer(Words(64, 9))};
        d.bind(0, *source);
        for (uint32_t n = 0; n < 2; ++n) {
            const pipe::BufferRange part{to[n].get(), 0, 41 * 4 + 1};
            d.context->set_storage_buffers(pipe::Stage::Compute, n + 1, std::span(&part, 1));
        }
        d.bind(3, *kept);
        d.bind(4, *nothing);
        d.dispatch(1);
        CHECK(Device::words(*to[0]) == in_order);
        CHECK(Device::words(*to[1]) == scattered);
        CHECK(Device::words(*kept) == shared);
        Words zeros(61);
        zeros.resize(64, 9);
        CHECK(Device::words(*nothing) == zeros);
    });
}

TEST_CASE("compute: images are loaded, stored and counted in") {
    const char* const text = R"(compute {
  info workgroup_size=8,4,1
  %0: i32 = load_sysval local_invocation_id.x
  %1: i32 = load_sysval local_invocation_id.y
  %2: i32 = const 1
  %3: i32, %4: i32, %5: i32, %6: i32 = load_image image 2d r32ui binding=0 (%0, %1)
  %7: i32 = iadd %3, %2
  store_image image 2d r32ui binding=1 (%1, %0, %7, %7, %7, %7)
  %8: i32 = const 0
  %9: i32 = atomic_image add image 2d r32ui binding=2 (%8, %8, %3)
  %10: i32, %11: i32 = image_size image 2d binding=0 ()
  store_image image 2d r32ui binding=2 (%2, %8, %10, %8, %8, %8)
})";
    with_all([&](Device& d) {
        d.use(text);
        pipe::Ref<pipe::Resource> images[3];
        pipe::ImageView views[3];
        const uint32_t size[3][2] = {{6, 4}, {4, 8}, {2, 1}};
        for (unsigned n = 0; n < 3; ++n) {
            pipe::ResourceDesc desc;
            desc.kind = pipe::ResourceKind::Tex2D;
            desc.format = pipe::Format::R32_UINT;
            desc.width = size[n][0];
            desc.height = size[n][1];
            desc.bind = pipe::bind::kImage;
            REQUIRE(d.screen.format_supported(desc.format, desc.kind, 1, desc.bind));
            images[n] = d.screen.create_resource(desc);
            views[n] = {images[n].get(), desc.format, 0, 0, 1};
        }
        const auto texel = [&](unsigned n, uint32_t x, uint32_t y) {
            const ir::ImageRange r = image_range(views[n]);
            return reinterpret_cast<uint32_t*>(r.data + y * r.row_stride_B) + x;
        };
        for (uint32_t y = 0; y < 4; ++y)
            for (uint32_t x = 0; x < 6; ++x)
                *texel(0, x, y) = 100 * y + x;
        *texel(2, 0, 0) = 0;
        d.context->set_images(pipe::Stage::Compute, 0, views);
        d.dispatch(1);
        uint32_t sum = 0;
        for (uint32_t y = 0; y < 4; ++y)
            for (uint32_t x = 0; x < 6; ++x) {
                REQUIRE(*texel(1, y, x) == 100 * y + x + 1);
                sum += 100 * y + x;
            }
        CHECK(*texel(1, 0, 7) == 1);  // loads beyond the first image's width return 0
        CHECK(*texel(2, 0, 0) == sum);
        CHECK(*texel(2, 1, 0) == 6);
    });
}

TEST_CASE("compute: each invocation keeps its own array over barriers") {
    const char* const text = R"(compute {
  info shared_B=4 workgroup_size=50,1,1
  var v0 "kept" i32[4] local
  %0: i32 = load_sysval local_invocation_index.x
  %1: i32 = const 3
  %2: i32 = iand %0, %1
  store_var v0[0 + %2], %0
  barrier execution=workgroup memory=workgroup shared ()
  %3: i32 = load_var v0[0 + %2]
  %4: i32 = const 2
  %5: i32 = ishl %0, %4
  store_buffer buffer binding=0 (%5, %3)
})";
    Words expected(50);
    for (uint32_t n = 0; n < 50; ++n)
        expected[n] = n;
    with_all([&](Device& d) {
        d.use(text);
        const auto buffer = d.buffer(Words(50));
        d.bind(0, *buffer);
        d.dispatch(1);
        CHECK(Device::words(*buffer) == expected);
    });
}

TEST_CASE("compute: a barrier that some invocations never reach does not hang") {
    const char* const text = R"(compute {
  info shared_B=4 workgroup_size=64,1,1
  %0: i32 = load_sysval local_invocation_index.x
  %1: i32 = const 20
  %2: bool = ult %0, %1
  if %2 {
    barrier execution=workgroup memory=workgroup shared ()
  }
  %3: i32 = const 2
  %4: i32 = ishl %0, %3
  store_buffer buffer binding=0 (%4, %1)
})";
    with_all([&](Device& d) {
        d.use(text);
        const auto buffer = d.buffer(Words(64));
        d.bind(0, *buffer);
        d.dispatch(3);
        CHECK(Device::words(*buffer) == Words(64, 20));
    });
}

TEST_CASE("compute: endless work ends, and a robust context is reported as guilty") {
    const char* const text = R"(compute {
  info shared_B=4 workgroup_size=16,1,1
  %0: i32 = const 1
  loop () {
    barrier execution=workgroup memory=workgroup shared ()
    %1: bool = ieq %0, %0
    if %1 {
    } else {
      break
    }
    continue
  }
})";
    Device d(create_tier1_compiler() ? create_tier1_compiler() : create_interpreter_compiler(), 1, true);
    d.use(text);
    d.dispatch(2);
    CHECK(d.context->reset_status() == pipe::ResetStatus::Guilty);
}

}  // namespace terrazzo::soft::test
