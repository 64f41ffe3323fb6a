// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Follows a command stream: registers, loads and stores, branches, jumps and calls. Nothing waits, and the
// GPU's own writes are not seen. Source: Mesa 25.0.7, src/panfrost/lib/genxml/decode_csf.c. The texts of
// instructions are pandecode's (the rows of hw/cs.rows), so that outputs can be compared.
#include <algorithm>
#include <cinttypes>
#include <type_traits>
#include <vector>

#include "drivers/mali/decode/objects.h"
#include "drivers/mali/hw/cs.h"

namespace terrazzo::mali::decode {

using namespace hw;

namespace {

constexpr size_t kMaxDepth = 8;  // of a G610's call stack, including the ring that calls the stream

bool holds(CsCondition condition, uint32_t value) {
    const auto v = int32_t(value);
    switch (condition) {
        case CsCondition::Lequal:
            return v <= 0;
        case CsCondition::Greater:
            return v > 0;
        case CsCondition::Equal:
            return v == 0;
        case CsCondition::Nequal:
            return v != 0;
        case CsCondition::Less:
            return v < 0;
        case CsCondition::Gequal:
            return v >= 0;
        case CsCondition::Always:
            return true;
    }
    return false;
}

class Interpreter {
  public:
    Interpreter(Context& context, Registers& registers) : c_(context), r_(registers) {}

    bool run(uint64_t va, uint64_t size_B);

  private:
    struct Frame {
        uint64_t begin, end, ip;
    };

    unsigned indent() const { return unsigned(stack_.size()); }
    bool stop(const char* reason) { return c_.stop(indent(), reason); }
    bool check(unsigned reg, unsigned count);
    uint32_t get32(unsigned reg);
    uint64_t get64(unsigned reg);
    void set32(unsigned reg, uint32_t value);
    void set64(unsigned reg, uint64_t value);
    void forget(unsigned reg, unsigned count);

    void count(uint64_t word);
    bool enter(unsigned address, unsigned length, Frame* out);
    /// Applies an instruction's effects to registers and control flow. The frame's ip must already be after
    /// the instruction. False: the stream cannot be followed further.
    bool step(uint64_t word);
    void apply(const CsMove& i) { set64(i.destination, i.immediate); }
    void apply(const CsMove32& i) { set32(i.destination, i.immediate); }
    void apply(const CsAddImmediate32& i) { set32(i.destination, get32(i.source) + uint32_t(i.immediate)); }
    void apply(const CsAddImmediate64& i) {
        set64(i.destination, get64(i.source) + uint64_t(int64_t(i.immediate)));
    }
    void apply(const CsUmin32& i) { set32(i.destination, std::min(get32(i.source_1), get32(i.source_2))); }
    void apply(const CsProgressLoad& i) { forget(i.destination, 2); }
    void apply(const CsLoadMultiple& i);
    void apply(const CsStoreMultiple& i);
    void apply(const CsSetExceptionHandler& i);
    bool apply(const CsBranch& i);
    bool apply(const CsCall& i);
    bool apply(const CsJump& i) { return enter(i.address, i.length, &stack_.back()); }
    /// Other instructions have no effect on registers or control flow.
    template <typename I>
    void apply(const I&) {}

    Context& c_;
    Registers& r_;
    std::vector<Frame> stack_;
    uint64_t since_draw_ = 0;  // instructions
};

bool Interpreter::check(unsigned reg, unsigned count) {
    if (reg + count <= c_.options.register_count) return true;
    c_.print(indent() + 1, "! r%u is beyond the %u registers", reg + count - 1, c_.options.register_count);
    return false;
}

uint32_t Interpreter::get32(unsigned reg) {
    return check(reg, 1) ? r_.get(reg) : 0;
}

uint64_t Interpreter::get64(unsigned reg) {
    if (reg % 2) c_.print(indent() + 1, "! d%u is no pair", reg);
    return check(reg, 2) ? r_.get(reg) | uint64_t(r_.get(reg + 1)) << 32 : 0;
}

void Interpreter::set32(unsigned reg, uint32_t value) {
    if (check(reg, 1)) r_.set(reg, value);
}

void Interpreter::set64(unsigned reg, uint64_t value) {
    if (reg % 2) c_.print(indent() + 1, "! d%u is no pair", reg);
    if (!check(reg, 2)) return;
    r_.set(reg, uint32_t(value));
    r_.set(reg + 1, uint32_t(value >> 32));
}

void Interpreter::forget(unsigned reg, unsigned count) {
    for (unsigned i = reg; i < std::min(reg + count, Registers::kCount); ++i)
        r_.forget(i);
}

bool Interpreter::enter(unsigned address, unsigned length, Frame* out) {
    const uint64_t va = get64(address);
    const uint32_t size_B = get32(length);
    if (size_B % 8) return stop("the length is no multiple of 8");
    if (va % 8) return stop("the address is no multiple of 8");
    if (va + size_B < va) return stop("the buffer wraps around the address space");
    *out = {va, va + size_B, va};
    return true;
}

bool Interpreter::apply(const CsBranch& i) {
    if (!holds(i.condition, get32(i.value))) return true;
    Frame& frame = stack_.back();
    const uint64_t target = frame.ip + uint64_t(int64_t(i.offset) * 8);
    if (target < frame.begin || target > frame.end) return stop("the branch leaves its buffer");
    frame.ip = target;
    return true;
}

void Interpreter::apply(const CsLoadMultiple& i) {
    const uint64_t va = get64(i.address) + uint64_t(int64_t(i.offset));
    for (unsigned n = 0; n < 16; ++n) {
        if (!(i.mask >> n & 1)) continue;
        uint32_t value;
        if (c_.read(va + 4 * n, &value, sizeof value)) {
            set32(i.base_register + n, value);
        } else {
            c_.print(indent() + 1, "! 0x%" PRIx64 ": unmapped", va + 4 * n);
            forget(i.base_register + n, 1);
        }
    }
}

void Interpreter::apply(const CsStoreMultiple& i) {
    const uint64_t va = get64(i.address) + uint64_t(int64_t(i.offset));
    for (unsigned n = 0; n < 16; ++n)
        if (i.mask >> n & 1 && !c_.store(va + 4 * n, get32(i.base_register + n)))
            c_.print(indent() + 1, "! 0x%" PRIx64 ": not mapped, not aligned, or one store too many",
                     va + 4 * n);
}

/// The handler runs when the exception happens, with unknown register values, so its instructions are only
/// listed.
void Interpreter::apply(const CsSetExceptionHandler& i) {
    Frame handler;
    if (!enter(i.address, i.length, &handler) || handler.begin == handler.end) return;
    if (!c_.first_time('H', handler.begin)) return;
    c_.print(indent() + 1, "Handler @0x%" PRIx64 ":", handler.begin);
    uint64_t left = c_.options.max_instructions;
    for (uint64_t at = handler.begin; at < handler.end && left && !c_.full(); at += 8, --left) {
        uint64_t word;
        if (!c_.read(at, &word, sizeof word)) {
            c_.print(indent() + 2, "0x%" PRIx64 ": unmapped", at);
            return;
        }
        c_.print(indent() + 2, "%012" PRIx64 "  %016" PRIx64 "  %s", at, word,
                 instruction_text(word).c_str());
    }
}

void Interpreter::count(uint64_t word) {
    Statistics& s = *c_.options.statistics;
    ++s.instructions;
    ++since_draw_;
    switch (CsOpcode(word >> 56)) {
        case CsOpcode::RUN_IDVS:
            ++s.idvs;
            s.draw_B.push_back(uint32_t(since_draw_ * 8));
            since_draw_ = 0;
            break;
        case CsOpcode::RUN_FRAGMENT:
            ++s.fragment;
            break;
        case CsOpcode::RUN_COMPUTE:
        case CsOpcode::RUN_COMPUTE_INDIRECT:
            ++s.compute;
            break;
        case CsOpcode::RUN_TILING:
        case CsOpcode::RUN_FULLSCREEN:
            ++s.other_runs;
            break;
        default:
            break;
    }
}

bool Interpreter::apply(const CsCall& i) {
    if (stack_.size() + 1 >= kMaxDepth) return stop("the call stack is full");
    Frame frame;
    if (!enter(i.address, i.length, &frame)) return false;
    stack_.push_back(frame);
    return true;
}

bool Interpreter::step(uint64_t word) {
    print_run(c_, indent() + 1, word, r_);
    bool continues = true;  // also after an unknown instruction, which is printed as such
    visit(CsOpcode(word >> 56), word, [&](const auto& i, const fields::ReservedBits&) {
        using Result = decltype(apply(i));
        if constexpr (std::is_same_v<Result, bool>)
            continues = apply(i);
        else
            apply(i);
    });
    return continues;
}

bool Interpreter::run(uint64_t va, uint64_t size_B) {
    if (size_B % 8 || va % 8) return stop("the stream's address or size is no multiple of 8");
    if (va + size_B < va) return stop("the stream wraps around the address space");
    stack_.push_back({va, va + size_B, va});
    for (uint64_t left = c_.options.max_instructions;; --left) {
        while (stack_.back().ip == stack_.back().end) {
            stack_.pop_back();
            if (stack_.empty()) return true;
        }
        if (left == 0) return stop("the stream does not end");
        if (c_.full()) return false;
        const uint64_t at = stack_.back().ip;
        uint64_t word;
        if (!c_.read(at, &word, sizeof word)) {
            c_.print(indent() - 1, "! %012" PRIx64 ": unmapped", at);
            return false;
        }
        c_.print(indent() - 1, "%012" PRIx64 "  %016" PRIx64 "  %s", at, word,
                 instruction_text(word).c_str());
        stack_.back().ip = at + 8;
        if (c_.options.statistics) count(word);
        if (!step(word)) return false;
    }
}

}  // namespace

std::string instruction_text(uint64_t word) {
    const auto opcode = CsOpcode(word >> 56);
    std::string text;
    const bool known = visit(opcode, word, [&](const auto& i, const fields::ReservedBits& found) {
        text = text_of(i);
        if (found.any()) text += " (! " + found.joined() + ")";
    });
    if (known) return text;
    text = "UNKNOWN_" + std::to_string(unsigned(opcode)) + " 0x";
    fields::append_hex(&text, word & fields::low_mask(56), true);
    return text;
}

bool print_stream(const Memory& memory, uint64_t va, uint64_t size_B, Registers* registers,
                  fields::Sink& sink, const Options& options) {
    Context context(memory, sink, options);
    Interpreter interpreter(context, *registers);
    return interpreter.run(va, size_B);
}

}  // namespace terrazzo::mali::decode
