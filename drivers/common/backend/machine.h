// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The common part of vendors' instructions and targets (target.h), for instructions that have a prototype of
// the vendor's isa, one destination, and sources that are Refs.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "drivers/common/backend/function.h"

namespace terrazzo::backend {

// ---- Sources ----

/// The base of a vendor's source `Self`, an aggregate with
///   Kind kind        None, Word, Immediate, and others of the vendor
///   bool neg, abs    modifiers, for floats
///   bool half        or uint8_t size, its bits. Optional: whether it has 16 bits
///   uint8_t count    optional: the registers from the word on
///   uint32_t index   the number of the word, or the bits of an immediate
/// It may replace the methods below.
template <typename Self>
struct SourceBase {
    bool operator==(const SourceBase&) const = default;

    static Self word(Word w, bool half = false) { return of(Self::Kind::Word, number_of(w), half); }
    static Self immediate(uint32_t bits, bool half = false) { return of(Self::Kind::Immediate, bits, half); }
    static Self uniform(uint32_t index) { return of(Self::Kind::Uniform, index, false); }
    /// Consecutive words.
    static Self run(Word first, unsigned count) {
        Self r = word(first);
        r.count = uint8_t(count);
        return r;
    }
    /// The word of a source in registers; of several, the first.
    [[nodiscard]] Word as_word() const { return Word(self().index); }
    /// The number of words.
    [[nodiscard]] uint32_t words() const {
        if constexpr (requires { self().count; }) return self().count;
        return 1;
    }
    /// Whether the value is in the word as it is.
    [[nodiscard]] bool is_whole() const { return is_word(self()) && is_plain(self()); }
    /// The same source in another word.
    void set_word(Word w) { static_cast<Self&>(*this).index = number_of(w); }
    /// For an immediate: one of these bits, otherwise alike.
    [[nodiscard]] Self with_bits(uint32_t bits) const {
        Self r = self();
        r.index = bits;
        return r;
    }
    [[nodiscard]] bool is_half() const {
        if constexpr (requires { self().size; }) return self().size == 16;
        if constexpr (requires { self().half; }) return self().half;
        return false;
    }
    /// Of an immediate.
    [[nodiscard]] uint32_t sign_bit() const { return is_half() ? 0x8000u : 0x80000000u; }
    /// Whether a modifier other than neg and abs changes the value.
    [[nodiscard]] bool rearranged() const { return false; }
    /// The members of the vendor that change the value, in 12 bits.
    [[nodiscard]] uint64_t more() const { return is_half(); }

  private:
    [[nodiscard]] const Self& self() const { return static_cast<const Self&>(*this); }
    template <typename Kind>
    static Self of(Kind kind, uint32_t index, bool half) {
        Self r;
        r.kind = kind;
        r.index = index;
        if constexpr (requires { r.size; })
            r.size = half ? 16 : 32;
        else if constexpr (requires { r.half = half; })
            r.half = half;
        return r;
    }
};

template <typename Ref>
[[nodiscard]] constexpr bool is_word(const Ref& r) {
    return r.kind == Ref::Kind::Word;
}
/// Whether the source has no modifier.
template <typename Ref>
[[nodiscard]] constexpr bool is_plain(const Ref& r) {
    return !r.neg && !r.abs && !r.rearranged();
}
template <typename Ref>
[[nodiscard]] Ref negated(Ref r) {
    if (r.kind == Ref::Kind::Immediate && is_plain(r)) return r.with_bits(r.index ^ r.sign_bit());
    r.neg = !r.neg;
    return r;
}
template <typename Ref>
[[nodiscard]] Ref absolute(Ref r) {
    r.neg = false;
    if (r.kind == Ref::Kind::Immediate) return r.with_bits(r.index & ~r.sign_bit());
    r.abs = true;
    return r;
}

// ---- Instructions ----

template <typename Isa, typename Ref, size_t kSources>
struct MachineInst {
    Isa proto;
    Word dest = kNoWord;
    std::array<Ref, kSources> src{};
    int32_t target = -1;     // block, of a branch
    bool always = false;     // a branch without condition
    uint8_t dest_count = 1;  // words from `dest` on
    uint8_t dest_mask = 0;   // not 0: only these of them are written

    /// Whether it has a destination, and the first source is a word without modifiers.
    [[nodiscard]] bool passes_word() const { return dest != kNoWord && is_word(src[0]) && is_plain(src[0]); }
};

/// The base of a target. `Self` has, in addition to the rest of target.h,
///   static constexpr unsigned kEffects   the traits of rows of instructions that must stay without a reader
/// It replaces what differs. Its Inst derives from MachineInst, with is_branch() and is_move().
template <typename Self, typename I>
struct MachineTarget {
    using Inst = I;

    static bool has_effect(const Inst& i) {
        return i.is_branch() || i.proto.info().traits & Self::kEffects || Self::has_own_effect(i);
    }
    /// An effect that the traits do not tell. Optional.
    static bool has_own_effect(const Inst&) { return false; }
    template <typename F>
    static void for_each_read(const Inst& i, const F& f) {
        for (const auto& r : i.src)
            if (is_word(r)) f(r.as_word(), r.words());
    }
    template <typename R>
    static void rewrite_sources(Inst& i, const R& read) {
        for (auto& r : i.src)
            if (is_word(r)) r.set_word(read(r.as_word(), r.words()));
    }
    template <typename R, typename W>
    static void rewrite_words(Inst& i, const R& read, const W& write) {
        rewrite_sources(i, read);
        if (i.dest != kNoWord) i.dest = write(i.dest, uint32_t(i.dest_count));
    }
    template <typename F>
    static void for_each_write(const Inst& i, const F& f) {
        if (i.dest == kNoWord) return;
        if (!i.dest_mask) return f(i.dest, uint32_t(i.dest_count));
        for (uint32_t k = 0; k < i.dest_count; k++)
            if (i.dest_mask >> k & 1) f(i.dest + k, 1u);
    }
    static bool writes_early(const Inst&) { return false; }
    template <typename F>
    static void for_each_clobber(const Inst&, const F&) {}
    /// Self::move_op(half) is the instruction that copies a whole word, of the first or second class of
    /// registers. Its source follows.
    template <typename Code>
    static Inst make_move(const Code& f, Word to, Word from) {
        const bool half = f.node(to).cls;
        Inst i;
        i.proto = Self::move_op(half);
        i.src[0] = decltype(Inst::src)::value_type::word(from, half);
        i.dest = to;
        return i;
    }
    static bool is_move(const Inst& i) { return i.is_move(); }
    static Word move_dest(const Inst& i) { return i.dest; }
    static Word move_source(const Inst& i) { return i.src[0].as_word(); }
    static bool is_branch(const Inst& i) { return i.is_branch(); }
    static const char* name(const Inst& i) { return i.proto.info().name; }
    static bool branches_always(const Inst& i) { return i.always; }
    static int32_t branch_target(const Inst& i) { return i.target; }
};

/// The dependencies of loads and stores in a scheduler: stores keep their order, and a load does not pass a
/// store. Loads between the same stores may be reordered. It also serves other state with readers and writers
/// that is not a word. Each load depends on the store before it, and the store after it depends on the load.
class MemoryOrder {
  public:
    explicit MemoryOrder(std::pmr::memory_resource* memory) : loads_(memory) {}
    void begin() {
        last_store_ = kNone;
        loads_.clear();
    }
    /// Both call edge(earlier, clk) for each step that step n must follow.
    template <typename F>
    void load(uint32_t n, const F& edge) {
        if (last_store_ != kNone) edge(last_store_, 1);
        loads_.push_back(n);
    }
    template <typename F>
    void store(uint32_t n, const F& edge) {
        if (last_store_ != kNone) edge(last_store_, 1);
        for (const uint32_t l : loads_)
            edge(l, 1);
        loads_.clear();
        last_store_ = n;
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    uint32_t last_store_ = kNone;
    std::pmr::vector<uint32_t> loads_;  // since the last store
};

/// The requirements of schedule.h, spill.h and value_numbering.h, for a target `T`. `Self` has the rest of
/// them, and replaces what differs.
template <typename Self, typename T>
struct MachinePasses : T {
    using typename T::Inst;

    // schedule.h
    static unsigned issue_clk(const Inst&) { return 1; }
    static unsigned latency_clk(const Inst& from, const Inst&) { return Self::latency_clk(from); }
    static void finish_block(std::pmr::vector<Inst>&) {}

    // spill.h. Self has kPrivateEnd_B, the end of the memory of a thread that instructions reach, and
    // kMostNode_B, the memory of the largest node.
    static constexpr size_t kSpillsAtOnce = 4;
    static constexpr uint32_t kAccessUnits = 0;
    /// Whether the instruction computes one word from constants only, so that it can be repeated anywhere.
    /// Self has is_constant_op(i), about all but the sources, and may replace is_constant(r), about a source.
    static bool is_repeatable(const Inst& i) {
        return i.dest != kNoWord && i.dest_count == 1 && Self::is_constant_op(i) &&
               std::all_of(i.src.begin(), i.src.end(), [](const auto& r) { return Self::is_constant(r); });
    }
    static bool is_constant(const auto& r) { return !is_word(r); }
    template <typename Code>
    static bool has_room(const Code& f) {
        return f.private_B + Self::kMostNode_B <= Self::kPrivateEnd_B;
    }

    // value_numbering.h. computes(i): it has a result, and nothing else that its row tells. Everything except
    // the operands is in `proto`.
    static bool computes(const Inst& i) { return i.dest != kNoWord && !i.proto.info().traits; }
    static uint64_t hash_operation(const Inst& i) {
        uint64_t h = uint64_t(i.proto.op) + 1;
        for (const auto& r : i.src) {
            const uint64_t index = is_word(r) ? 0 : r.index;
            h = h * 0x9e3779b97f4a7c15ull +
                (index << 20 | r.more() << 8 | uint64_t(r.kind) << 2 | r.neg << 1 | r.abs);
        }
        return h ^ h >> 32;
    }
    static bool is_same_operation(const Inst& a, const Inst& b) {
        for (size_t n = 0; n < a.src.size(); n++) {
            auto r = b.src[n];
            if (is_word(r) && is_word(a.src[n])) r.index = a.src[n].index;
            if (a.src[n] != r) return false;
        }
        return a.proto == b.proto;
    }
};

// ---- Memory ----

/// The orders of accesses to `kMemories` memories, for SchedulerTarget::Order.
template <size_t kMemories>
class MemoryOrders {
  public:
    explicit MemoryOrders(std::pmr::memory_resource* m)
        : MemoryOrders(m, std::make_index_sequence<kMemories>()) {}
    void begin() {
        for (MemoryOrder& m : memories_)
            m.begin();
    }
    template <typename F>
    void access(unsigned memory, bool stores, uint32_t n, const F& edge) {
        if (stores)
            memories_[memory].store(n, edge);
        else
            memories_[memory].load(n, edge);
    }

  private:
    template <size_t... kN>
    MemoryOrders(std::pmr::memory_resource* m, std::index_sequence<kN...>)
        : memories_{((void)kN, MemoryOrder(m))...} {}
    std::array<MemoryOrder, kMemories> memories_;
};

/// The orders of memories, for instructions that access one memory each. kMemoryOf(row) is its number; none:
/// the instructions of the row access none.
template <size_t kMemories, auto kMemoryOf>
class RowOrders : public MemoryOrders<kMemories> {
  public:
    using MemoryOrders<kMemories>::MemoryOrders;
    template <typename Inst, typename F>
    void add(const Inst* insts, uint32_t n, const F& edge) {
        const auto& row = insts[n].proto.info();
        if (const std::optional<unsigned> memory = kMemoryOf(row))
            this->access(*memory, row.writes_memory(), n, edge);
    }
};

/// A spilled node in the thread's own memory. kAccess(store, first, count, at_B, n) is the n-th instruction:
/// it loads or stores up to four words, at a place that crosses no multiple of 16 bytes.
template <typename Inst, auto kAccess>
class PrivateHome {
  public:
    template <typename Code>
    PrivateHome(Code& f, const Node& node) : at_B_(f.add_private(node.count)) {}
    void access(bool store, Word temporary, uint32_t index, uint32_t count, std::pmr::vector<Inst>& out) {
        for (uint32_t done = 0; done < count;) {
            const uint32_t at_B = at_B_ + (index + done) * 4;
            const uint32_t n = std::min(count - done, (16 - at_B % 16) / 4);
            out.push_back(kAccess(store, temporary + done, n, at_B, accesses_++));
            done += n;
        }
    }

  private:
    const uint32_t at_B_;
    unsigned accesses_ = 0;
};

}  // namespace terrazzo::backend
