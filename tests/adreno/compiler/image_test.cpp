// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images of each kind: compiled code on the virtual GPU's core compared with the IR interpreter. Both access
// memory through ir::access_image. The test compares their requests: coordinates, layers, faces, data, order,
// sizes.
#include "tests/adreno/compiler/compute_fixture.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;
using namespace terrazzo::adreno::compiler::testing;

namespace {

using compiled::Images;

class Units : public MemoryUnits {
  public:
    Units(Images& images, const Binary& b) : images_(images), b_(b) {}
    bool image(adreno::sim::UnitCall& call, std::string* why) override {
        using adreno::isa::Op;
        const adreno::isa::Instr& instr = call.instr;
        const uint32_t slot = call.texture - b_.info.first_image;
        if (slot >= 4) return *why = "no image of that number", false;
        const ir::ImageRange& range = images_.ranges[slot];
        if (instr.op == Op::kResinfoB) {
            const uint32_t size[] = {range.width, range.height, range.depth};
            for (unsigned k = 0; k < 3; k++)
                call.out[k][0] = wave::splat(size[k]);
            return true;
        }
        if (instr.typed() != adreno::isa::Typed::kTyped) return *why = "untyped", false;
        const bool load = instr.op == Op::kLdibB, store = instr.op == Op::kStibB,
                   swap = instr.op == Op::kAtomicBCmpxchg;
        ir::MemInfo info;
        info.space = ir::Storage::Image;
        info.op = load || store ? ir::MemOp::None : op_of(instr);
        uint32_t coord[3][kLanes], value[4][kLanes], out[4][kLanes];
        ir::ImageAccess a;
        a.op = load ? ir::Op::LoadImage : store ? ir::Op::StoreImage : ir::Op::AtomicImage;
        a.info = &info;
        a.slots = &range;
        a.lanes = kLanes;
        for (unsigned i = 0; i < kLanes; i++)
            a.mask |= uint64_t(call.active.has(i)) << i;
        for (unsigned k = 0; k < instr.dimensions(); k++) {
            a.coord[k] = coord[k];
            for (unsigned i = 0; i < kLanes; i++)
                coord[k][i] = call.in[k][0][i];
        }
        // The compared value is the last in registers, and the first in the IR.
        for (unsigned k = 0; k < (store ? 4u : swap ? 2u : load ? 0u : 1u); k++) {
            a.value[k] = value[k];
            for (unsigned i = 0; i < kLanes; i++)
                value[k][i] = call.in[8 + (swap ? 1 - k : k)][0][i];
        }
        for (unsigned k = 0; !store && k < (load ? 4u : 1u); k++)
            a.out[k] = out[k];
        ir::access_image(a);
        for (unsigned k = 0; !store && k < (load ? 4u : 1u); k++)
            for (unsigned i = 0; i < kLanes; i++)
                call.out[k][0][i] = out[k][i];
        return true;
    }

  private:
    Images& images_;
    const Binary& b_;
};

}  // namespace

TEST_CASE("adreno compiler: images of each kind") {
    compiled::check_images([](const ir::Shader& shader, Images& images) {
        return compile_and_run(shader, [&](const Binary& binary) {
            Units units(images, binary);
            return run_compute(binary, units);
        });
    });
}
