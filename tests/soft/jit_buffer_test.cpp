// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every operation on buffers: compiled code, compared with the interpreter in results and memory.
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::MemInfo;
using ir::MemOp;
using ir::Op;
using ir::Storage;
using ir::Type;
using ir::Value;

constexpr uint32_t kSlots = 4;

/// Memory as the pipeline passes it: bytes beyond a range are 0 as far as blocks must be readable.
struct Memory {
    std::vector<uint32_t> words[kSlots];
    uint32_t sizes_B[kSlots];

    explicit Memory(Numbers& n) {
        static constexpr uint32_t kSizes_B[] = {0, 4, 13, 64, 100, 256};
        for (uint32_t s = 0; s < kSlots; ++s) {
            sizes_B[s] = s == 0 ? 256 : kSizes_B[n.below(std::size(kSizes_B))];
            words[s].resize(s == 1 ? kMaxUniformBlock_B / 4 : 64 + 16);
            for (uint32_t w = 0; w < 64; ++w)
                words[s][w] = 0x1000000 * (s + 1) + w;
        }
    }
    /// Uniform blocks: whole words, followed by zeros.
    void pad() {
        for (uint32_t& size_B : sizes_B)
            size_B &= ~3u;
        for (uint32_t s = 0; s < kSlots; ++s)
            std::memset(reinterpret_cast<uint8_t*>(words[s].data()) + sizes_B[s], 0,
                        words[s].size() * 4 - sizes_B[s]);
    }
    std::vector<ir::MemoryRange> ranges(uint32_t count) {
        std::vector<ir::MemoryRange> r(count);
        for (uint32_t s = 0; s < kSlots; ++s)
            r[s] = {reinterpret_cast<uint8_t*>(words[s].data()), sizes_B[s]};
        return r;
    }
};

/// How the offset is computed.
enum class Offset { Constant, Alike, Lanes };

struct Case {
    Op op = Op::LoadBuffer;
    MemInfo info;
    Offset offset = Offset::Lanes;
    uint32_t constant = 0;
};

std::string name_of(const Case& c) {
    return std::string(ir::op_info(c.op).text) + " space " + std::to_string(int(c.info.space)) + " op " +
           std::to_string(int(c.info.op)) + " words " + std::to_string(c.info.words) + " indexed " +
           std::to_string(c.info.indexed) + " offset " + std::to_string(int(c.offset)) + " + " +
           std::to_string(c.info.offset_B) + ", constant " + std::to_string(c.constant);
}

/// Inside an if, so that some lanes are inactive.
template <class Input, class Output>
void build(ir::Shader& s, const Case& c, Input&& input, Output&& output) {
    ir::Builder b(s);
    Value* const word = input(b, 0);
    Value* offset = b.iand(word, b.i32(0x1ff));
    // Some offsets are far away.
    offset = b.select(b.alu(Op::ILt, input(b, 1), b.i32(0)), word, offset);
    if (c.offset == Offset::Constant) offset = b.i32(int32_t(c.constant));
    if (c.offset == Offset::Alike) offset = b.load_uniform(Type::I32, 0);
    Value* const index = b.iand(input(b, 2), b.i32(7));
    std::vector<Type> types(ir::mem_result_count(c.op, c.info), Type::I32);
    ir::Instr* const branch = b.begin_if(b.alu(Op::INe, b.iand(input(b, 3), b.i32(3)), b.i32(0)), types);
    ir::Region* const outer = b.region();
    std::vector<Value*> values;
    for (unsigned n = 0; n < 2; ++n) {
        b.set_end(branch->regions[n]);
        values.clear();
        if (n == 0) {
            std::vector<Value*> operands;
            const ir::MemOperands o = ir::mem_operands(c.op, c.info);
            if (o.place >= 0) operands.push_back(offset);
            if (o.index >= 0) operands.push_back(index);
            for (int v = 0; v < o.value_count; ++v)
                operands.push_back(b.iadd(input(b, unsigned(v)), b.i32(v)));
            ir::Instr* const i = s.create(c.op, operands, types);
            i->u.mem = s.create_mem(c.info);
            b.insert(i);
            for (unsigned r = 0; r < i->result_count; ++r)
                values.push_back(i->result(r));
        } else {
            for (size_t r = 0; r < types.size(); ++r)
                values.push_back(b.i32(-7));
        }
        b.yield(values);
    }
    b.set_end(outer);
    for (unsigned n = 0; n < branch->result_count; ++n)
        output(b, n, branch->result(n));
    if (types.empty()) output(b, 0, offset);
}

std::vector<Case> cases(bool vertex) {
    std::vector<Case> list;
    const auto add = [&](Op op, Storage space, MemOp atomic, unsigned words, bool indexed, Offset offset,
                         uint32_t constant, uint32_t offset_B) {
        Case c;
        c.op = op;
        c.info.space = space;
        c.info.op = atomic;
        c.info.words = uint8_t(words);
        c.info.indexed = indexed;
        c.info.binding = indexed ? 0 : 1;
        c.info.count = indexed ? kSlots : 1;
        c.info.offset_B = offset_B;
        c.offset = offset;
        c.constant = constant;
        list.push_back(c);
    };
    for (const Storage space : {Storage::UniformBlock, Storage::Buffer}) {
        for (unsigned words = 1; words <= 4; ++words)
            for (const Offset o : {Offset::Constant, Offset::Alike, Offset::Lanes})
                for (const bool indexed : {false, true})
                    for (const uint32_t offset_B : {0u, 8u, 0xfffffff4u})
                        add(Op::LoadBuffer, space, MemOp::None, words, indexed, o, 16, offset_B);
        add(Op::LoadBuffer, space, MemOp::None, 4, false, Offset::Constant, 0xfffffff4u, 0);
        add(Op::LoadBuffer, space, MemOp::None, 2, false, Offset::Constant, kMaxUniformBlock_B - 4, 0);
        for (const bool indexed : {false, true})
            add(Op::BufferSize, space, MemOp::None, 1, indexed, Offset::Lanes, 0, 0);
    }
    for (const bool indexed : {false, true}) {
        for (unsigned words = 1; words <= 4; ++words)
            add(Op::StoreBuffer, Storage::Buffer, MemOp::None, words, indexed, Offset::Lanes, 0, 4);
        // More lanes act in another order: their result in memory must be the same.
        const unsigned last = vertex ? unsigned(MemOp::CompareExchange) : unsigned(MemOp::Xor);
        for (unsigned op = unsigned(MemOp::Add); op <= last; ++op)
            add(Op::AtomicBuffer, Storage::Buffer, MemOp(op), 1, indexed, Offset::Lanes, 0, 0);
    }
    return list;
}

void compare_memory(const Memory& a, const Memory& b) {
    for (uint32_t s = 0; s < kSlots; ++s)
        REQUIRE_MESSAGE(a.words[s] == b.words[s], "slot ", s);
}

void run_vertex(const Compilers::Pair& pair, const Case& c, Numbers& numbers) {
    VertexRun a;
    a.uniforms = {numbers.below(2) ? numbers.below(300) : numbers.word()};
    for (auto& attribute : a.attributes)
        for (auto& vertex : attribute)
            for (uint32_t& w : vertex)
                w = numbers.word();
    a.count = 1 + numbers.below(kLanes);
    VertexRun b = a;
    Memory ma(numbers);
    if (c.info.space == Storage::UniformBlock) ma.pad();
    Memory mb = ma;
    a.blocks = a.buffers = ma.ranges(ir::kMaxStorageBuffers);
    b.blocks = b.buffers = mb.ranges(ir::kMaxStorageBuffers);
    a.run(*pair.jit);
    b.run(*pair.interpreter);
    for (unsigned n = 0; n < 4; ++n)
        for (unsigned i = 0; i < a.count; ++i)
            REQUIRE_MESSAGE(a.out[n][i] == b.out[n][i], "result ", n, " lane ", i, ": ", a.out[n][i],
                            " is not ", b.out[n][i]);
    compare_memory(ma, mb);
}

void run_fragment(const Compilers::Pair& pair, const Case& c, Numbers& numbers) {
    Plane planes[4];
    for (Plane& p : planes)
        p = {std::bit_cast<float>(numbers.word()), 0, 0};
    planes[0] = {float(numbers.below(400)), 4, 16};
    planes[3] = {float(numbers.below(16)), 1, 1};
    const PrimitiveSetup setup = {0.5f, 0.5f, planes, true, {}, {1, 0, 0}};
    uint32_t uniforms[1] = {numbers.below(2) ? numbers.below(300) : numbers.word()};
    Watch watch;
    FragmentArgs a{};
    give_memory(&a);
    a.watch = &watch;
    a.uniforms = uniforms;
    a.count = 1 + numbers.below(3);
    for (uint32_t n = 0; n < a.count; ++n) {
        a.setup[n] = &setup;
        a.x[n] = int32_t(4 * n);
        a.mask[n] = uint8_t(numbers.below(3) ? numbers.below(256) : 0xff);
    }
    FragmentArgs b = a;
    Memory ma(numbers);
    if (c.info.space == Storage::UniformBlock) ma.pad();
    Memory mb = ma;
    const auto ra = ma.ranges(ir::kMaxStorageBuffers), rb = mb.ranges(ir::kMaxStorageBuffers);
    a.blocks = a.buffers = ra.data();
    b.blocks = b.buffers = rb.data();
    a.shader = pair.jit->self;
    b.shader = pair.interpreter->self;
    pair.jit->fragment(&a);
    pair.interpreter->fragment(&b);
    compare_memory(ma, mb);
    const bool ordered = c.op != Op::AtomicBuffer;  // the result of an atomic depends on the order
    for (unsigned n = 0; n < 4; ++n)
        for (unsigned i = 0; i < a.count * kLanes && ordered; ++i) {
            if (!(a.mask[i / kLanes] >> i % kLanes & 1)) continue;
            REQUIRE_MESSAGE(
                std::bit_cast<uint32_t>(a.color[0][n][i]) == std::bit_cast<uint32_t>(b.color[0][n][i]),
                "result ", n, " lane ", i);
        }
}

}  // namespace

TEST_CASE("jit: operations on buffers in vertex code") {
    Compilers compilers;
    Numbers numbers(5);
    for (const Case& c : cases(true)) {
        ir::Shader s(ir::Stage::Vertex);
        build(
            s, c, [](ir::Builder& b, unsigned n) { return b.load_input(Type::I32, n, 0); },
            [](ir::Builder& b, unsigned n, Value* v) { b.store_output(kVarying0, n, v); });
        INFO(name_of(c), "\n", ir::print(s));
        REQUIRE(ir::validate(s) == "");
        const auto pair = compilers.compile(s);
        for (unsigned round = 0; round < 25; ++round)
            run_vertex(pair, c, numbers);
    }
}

TEST_CASE("jit: operations on buffers in fragment code, with any number of lanes") {
    for (const unsigned lanes : {4, 8, 16}) {
        Compilers compilers(lanes);
        Numbers numbers(lanes);
        for (const Case& c : cases(false)) {
            // Of several stores to a word any may win: all lanes store the same value.
            if (c.op == Op::StoreBuffer) continue;
            ir::Shader s(ir::Stage::Fragment);
            build(
                s, c,
                [](ir::Builder& b, unsigned n) {
                    Value* const v = b.load_input(Type::F32, kVarying0, n, ir::Interp::NoPerspective);
                    return n == 1 || n == 2 ? b.convert(Op::Bitcast, Type::I32, v)
                                            : b.convert(Op::F2I, Type::I32, v);
                },
                [&](ir::Builder& b, unsigned n, Value* v) {
                    if (n == 0) b.discard(b.alu(Op::IEq, b.iand(v, b.i32(63)), b.i32(17)));
                    b.store_output(0, n, v);
                });
            INFO(name_of(c), "\n", ir::print(s));
            REQUIRE(ir::validate(s) == "");
            const auto pair = compilers.compile(s);
            for (unsigned round = 0; round < 15; ++round)
                run_fragment(pair, c, numbers);
        }
    }
}

TEST_CASE("jit: discarded lanes and helpers store nothing") {
    for (const unsigned lanes : {4, 8, 16}) {
        Compilers compilers(lanes);
        ir::Shader s(ir::Stage::Fragment);
        ir::Builder b(s);
        // Pixel x, y stores 1 at word 8 * y + x. Pixels with an odd x are discarded first.
        Value* const x = b.convert(Op::F2I, Type::I32, b.load_sysval(ir::Sysval::FragCoord, 0, Type::F32));
        Value* const y = b.convert(Op::F2I, Type::I32, b.load_sysval(ir::Sysval::FragCoord, 1, Type::F32));
        b.discard(b.alu(Op::INe, b.iand(x, b.i32(1)), b.i32(0)));
        MemInfo m;
        m.binding = 0;
        Value* const at = b.alu(Op::IShl, b.iadd(b.alu(Op::IShl, y, b.i32(3)), x), b.i32(2));
        Value* const operands[] = {at, b.i32(1)};
        ir::Instr* const i = s.create(Op::StoreBuffer, operands, {});
        i->u.mem = s.create_mem(m);
        b.insert(i);
        b.store_output(0, 0, b.f32(1));
        const auto pair = compilers.compile(s);
        CHECK(pair.jit->writes_memory);
        CHECK(pair.jit->storage_buffers == 1);
        for (const CompiledShader* shader : {pair.jit.get(), pair.interpreter.get()}) {
            std::vector<uint32_t> words(16);
            const ir::MemoryRange range[ir::kMaxStorageBuffers] = {
                {reinterpret_cast<uint8_t*>(words.data()), 64}};
            const PrimitiveSetup setup = {};
            Watch watch;
            FragmentArgs a{};
            give_memory(&a);
            a.watch = &watch;
            a.buffers = range;
            a.count = 2;
            a.setup[0] = a.setup[1] = &setup;
            a.x[1] = 4;
            a.mask[0] = 0b10000111;  // (0,0) (1,0) (0,1) and (3,1)
            a.mask[1] = 0b01010000;  // (6,0) (6,1)
            a.shader = shader->self;
            shader->fragment(&a);
            CHECK(words == std::vector<uint32_t>{1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0});
        }
    }
}

TEST_CASE("jit: the size of a block that a shader may read") {
    ir::Shader s(ir::Stage::Vertex);
    ir::Builder b(s);
    const auto load = [&](int binding, Value* offset, uint32_t offset_B, uint8_t words) {
        MemInfo m;
        m.space = Storage::UniformBlock;
        m.binding = binding;
        m.words = words;
        m.offset_B = offset_B;
        const Type types[] = {Type::I32, Type::I32, Type::I32, Type::I32};
        ir::Instr* const i = s.create(Op::LoadBuffer, std::span(&offset, 1), std::span(types, words));
        i->u.mem = s.create_mem(m);
        b.insert(i);
        b.store_output(kVarying0, 0, i->result());
    };
    Value* const word = b.load_input(Type::I32, 0, 0);
    Value* const index = b.alu(Op::IMin, b.alu(Op::IMax, word, b.i32(0)), b.i32(7));
    load(0, b.i32(32), 16, 4);
    load(1, b.imul(index, b.i32(16)), 64, 3);
    load(1, b.i32(0), 0, 2);
    load(2, word, 0, 1);
    REQUIRE(ir::validate(s) == "");
    const auto compiled = create_interpreter_compiler()->compile(s, {});
    REQUIRE(compiled);
    CHECK(compiled->blocks == 7);
    CHECK(compiled->block_reach_B[0] == 64);
    CHECK(compiled->block_extent_B[0] == 64);
    CHECK(compiled->block_reach_B[1] == 8);
    CHECK(compiled->block_extent_B[1] == 64 + 7 * 16 + 12);
    CHECK(compiled->block_reach_B[2] == 0);
    CHECK(compiled->block_extent_B[2] == kMaxUniformBlock_B);
}

}  // namespace terrazzo::soft::test
