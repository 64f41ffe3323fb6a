// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The IR is walked in program order. Values are numbered as they come, so that a shader that was stored and
// read again has the key it had; names and lines do not count. CPU: the feature leaves of CPUID (Intel SDM
// volume 2, "CPUID"; AMD APM volume 3, appendix E) or the hardware capabilities that Linux gives.
#include "drivers/soft/code/key.h"

#include <sys/auxv.h>

#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace terrazzo::soft {

namespace {

class Bytes {
  public:
    explicit Bytes(const ir::Shader& s) : numbers_(s.value_count()) { bytes_.reserve(1 << 14); }
    void shader(const ir::Shader& s) {
        put(uint8_t(s.stage));
        const ir::ShaderInfo& i = s.info;
        put(i.inputs_read), put(i.outputs_written), put(i.sampler_count), put(i.uniform_dw);
        for (bool b :
             {i.uses_discard, i.uses_derivatives, i.uses_front_facing, i.uses_point_coord, i.uses_frag_coord,
              i.reads_color, i.writes_depth, i.writes_memory, i.early_fragment_tests})
            put(uint8_t(b));
        put(uint32_t(s.vars().size()));
        for (const ir::Var* v : s.vars())
            put(v->id), put(uint8_t(v->type)), put(v->count), put(uint8_t(v->storage));
        region(*s.body);
    }
    [[nodiscard]] std::span<const uint8_t> bytes() const { return bytes_; }

  private:
    template <class T>
    void put(T v) {
        static_assert(std::is_integral_v<T>);
        const size_t at = bytes_.size();
        bytes_.resize(at + sizeof v);
        std::memcpy(bytes_.data() + at, &v, sizeof v);
    }
    void define(const ir::Value* v) {
        numbers_[v->id] = ++count_;
        put(uint8_t(v->type));
    }
    void region(const ir::Region& r) {
        put(r.arg_count);
        for (unsigned n = 0; n < r.arg_count; ++n)
            define(r.args[n]);
        for (const ir::Instr* i = r.first; i; i = i->next)
            instr(*i);
        put(uint8_t(ir::Op::Count_));  // the end
    }
    void instr(const ir::Instr& i) {
        put(uint8_t(i.op)), put(i.flags), put(i.operand_count), put(i.result_count);
        for (unsigned n = 0; n < i.operand_count; ++n)
            put(numbers_[i.operand(n)->id]);
        for (unsigned n = 0; n < i.result_count; ++n)
            define(i.result(n));
        switch (i.op) {
            case ir::Op::Const:
                put(i.u.bits);
                break;
            case ir::Op::Tex:
                tex(*i.u.tex);
                break;
            case ir::Op::LoadVar:
            case ir::Op::StoreVar:
                put(i.var->id);
                [[fallthrough]];
            case ir::Op::LoadInput:
            case ir::Op::LoadSysval:
            case ir::Op::LoadUniform:
            case ir::Op::StoreOutput:
                put(i.u.io.slot), put(i.u.io.component), put(i.u.io.count);
                put(uint8_t(i.u.io.interp)), put(uint8_t(i.u.io.interp_at));
                break;
            default:
                break;
        }
        for (unsigned n = 0; n < i.region_count; ++n)
            region(*i.regions[n]);
    }
    void tex(const ir::TexInfo& t) {
        for (uint8_t v : {uint8_t(t.op), uint8_t(t.dim), uint8_t(t.result), uint8_t(t.arrayed),
                          uint8_t(t.shadow), uint8_t(t.indexed), t.coord_count, t.gather_component,
                          uint8_t(t.offset[0]), uint8_t(t.offset[1]), uint8_t(t.offset[2])})
            put(v);
        put(t.binding);
    }

    std::vector<uint8_t> bytes_;
    std::vector<uint32_t> numbers_;
    uint32_t count_ = 0;
};

std::vector<uint32_t> cpu_words() {
    std::vector<uint32_t> words;
#if defined(__x86_64__)
    const auto leaf = [&](uint32_t n, uint32_t sub, bool with_b) {
        uint32_t a = 0, b = 0, c = 0, d = 0;
        __get_cpuid_count(n, sub, &a, &b, &c, &d);
        words.insert(words.end(), {a, with_b ? b : 0, c, d});
    };
    leaf(0, 0, true);
    leaf(1, 0, false);  // ebx says which core this is
    leaf(7, 0, true);
    leaf(7, 1, true);
    leaf(0x80000001, 0, true);
    if (__builtin_cpu_supports("avx")) {  // what the system saves of it
        uint32_t low, high;
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        words.insert(words.end(), {low, high});
    }
#endif
    for (unsigned long v : {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)})
        words.insert(words.end(), {uint32_t(v), uint32_t(uint64_t(v) >> 32)});
    return words;
}

}  // namespace

shaders::CacheKey code_key(const ir::Shader& shader, std::string_view maker) {
    Bytes ir(shader);
    ir.shader(shader);
    const std::vector<uint32_t> cpu = cpu_words();
    const auto* const cpu_bytes = reinterpret_cast<const uint8_t*>(cpu.data());
    const std::span<const uint8_t> parts[] = {{reinterpret_cast<const uint8_t*>(maker.data()), maker.size()},
                                              {cpu_bytes, cpu.size() * sizeof cpu[0]},
                                              ir.bytes()};
    return shaders::CacheKey::of(parts);
}

}  // namespace terrazzo::soft
