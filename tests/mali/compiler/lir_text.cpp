// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of lir.h as text. It is the assembler's text with words in place of registers and "_" for an
// absent source, followed by the data that machine code does not have:
//     BLEND... also r4:r5:r6:r7 calls
//     BRANCHZ... always -> block2
#include "tests/mali/compiler/lir_text.h"

#include "drivers/mali/isa/text.h"
#include "tests/common/backend/code_text.h"

namespace terrazzo::mali::compiler {

namespace {

using terrazzo::isa::Line;

/// Words as registers. The operands of a parsed instruction go to `i`; the isa::Instr has register 0 for
/// each.
class Words final : public isa::RegisterNames {
  public:
    Words(Function& f, Inst& i) : f_(f), i_(i) {}

    bool source(Line& line, unsigned n, bool present, isa::Operand&) override {
        Ref& r = i_.src[n];
        if (line.is("_", present && !is_word(r))) {
            r = {};
            return true;
        }
        Word word = r.as_word();
        if (!backend::text_of_word(line, f_, present && is_word(r), word)) return false;
        r.set_word(word);
        r.kind = Ref::Kind::Word;
        return true;
    }
    void dest(Line& line, isa::Dest&) override { word(line, i_.dest); }
    void staging(Line& line, const isa::StagingInfo& row, isa::Staging& s) override {
        Word& first = row.writes ? i_.written : i_.read;
        uint8_t& count = row.writes ? i_.written_count : i_.read_count;
        if (line.parses() ? !line.rest().starts_with(',') && !line.rest().empty() : count > 0)
            run(line, first, count);
        s.count = count;
    }
    /// What follows the assembler's text.
    void end(Line& line) {
        if (line.is(" also ", i_.also_read_count)) run(line, i_.also_read, i_.also_read_count);
        i_.calls = line.is(" calls", i_.calls);
        i_.always = line.is(" always", i_.always);
        if (line.is(" -> block", i_.target >= 0)) line.number(i_.target, 0, 0xffff);
    }

  private:
    void word(Line& line, Word& w) {
        if (line.is("_", w == kNoWord))
            w = kNoWord;
        else if (!backend::text_of_word(line, f_, true, w))
            line.fail("no word, or one that its node does not have");
    }
    void run(Line& line, Word& first, uint8_t& count) {
        const unsigned most = count;
        unsigned n = 0;
        do {
            Word w = first + n;
            word(line, w);
            if (!n) first = w;
            if (w != first + n) line.fail("words that are not consecutive");
            n++;
        } while (line.is(":", n < most) && line.ok());
        count = uint8_t(n);
    }

    Function& f_;
    Inst& i_;
};

/// A source that is no register.
Ref ref_of(const isa::Operand& o) {
    constexpr Ref::Kind kKinds[] = {Ref::Kind::None, Ref::Kind::Uniform, Ref::Kind::Constant,
                                    Ref::Kind::Special};
    return {.kind = kKinds[unsigned(o.kind)], .high = o.high_word, .index = o.index};
}

}  // namespace

void print_inst(const Function& f, const Inst& i, std::string* out) {
    Inst copy = i;
    Words words(const_cast<Function&>(f), copy);
    isa::Instr p = i.proto;
    for (unsigned n = 0; n < p.info().source_count; n++)
        p.src[n] = i.src[n].operand(0);
    Line line(out);
    isa::text_of(line, words, p);
    words.end(line);
}

bool parse_inst(Function& f, std::string_view text, Inst* out, std::string* why) {
    Inst i;
    isa::Error error;
    isa::Instr p;
    Line line(text, &error);
    Words words(f, i);
    isa::text_of(line, words, p);
    words.end(line);
    line.end(p.info().name);
    if (!line.ok() || !isa::validate(p, &error)) return *why = error.reason, false;
    const isa::OpInfo& row = p.info();
    for (unsigned n = 0; n < row.source_count; n++) {
        Ref& r = i.src[n];
        const isa::Operand& o = p.src[n];
        if (o.kind != isa::OperandKind::kRegister) r = ref_of(o);
        r.neg = o.neg;
        r.abs = o.abs;
        r.invert = o.invert;
        r.last = o.last;
        r.swizzle = o.swizzle;
    }
    i.proto = isa::make(p.op);
    i.proto.flow = p.flow;
    i.proto.imm = p.imm;
    i.proto.mods = p.mods;
    i.proto.dest.halves = p.dest.halves;
    if (i.is_branch() != (i.target >= 0)) return *why = "a branch has a block, and nothing else has", false;
    const bool message = row.message == isa::Message::kLoad || row.message == isa::Message::kStore;
    i.local = message && p.memory_access() == isa::MemoryAccess::kForce;
    *out = i;
    return true;
}

}  // namespace terrazzo::mali::compiler
