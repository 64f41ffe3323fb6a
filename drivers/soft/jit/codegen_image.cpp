// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inline loads and stores of images whose texels are words or bytes. Usually the lanes' texels are adjacent
// in one row: the code checks this and accesses texels one by one otherwise. The semantics are
// ir::access_image's (shaders/ir/image.cpp).
#include <cstddef>

#include "drivers/soft/jit/codegen.h"
#include "shaders/ir/image.h"

namespace terrazzo::soft::jit {

using ir::ImageFormat;
using ir::Op;

namespace {

/// The formats with this texel size, a bit each.
uint32_t formats_of_size(uint32_t size_B) {
    uint32_t bits = 0;
    for (unsigned f = 1; f <= unsigned(ImageFormat::R32ui); ++f)
        if (ir::texel_size_B(ImageFormat(f)) == size_B) bits |= 1u << f;
    return bits;
}

bool has_bytes(ImageFormat f) {
    return f == ImageFormat::Rgba8 || f == ImageFormat::Rgba8i || f == ImageFormat::Rgba8ui;
}

bool has_words(ImageFormat f) {
    return f == ImageFormat::Rgba32f || f == ImageFormat::R32f || f == ImageFormat::Rgba32i ||
           f == ImageFormat::R32i || f == ImageFormat::Rgba32ui || f == ImageFormat::R32ui;
}

}  // namespace

/// Whether the access has code here; all others are calls.
bool Codegen::is_plain_image(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    if ((i.op != Op::LoadImage && i.op != Op::StoreImage) || m.indexed) return false;
    if (m.arrayed && m.dim == ir::TexDim::D1) return false;
    return has_bytes(m.format) || has_words(m.format);
}

/// Loaded once per call. The width is 0 if no image is bound or its texels have another size.
const Codegen::Image& Codegen::image_of(const ir::MemInfo& m) {
    Image& r = image_ranges_[{m.binding, ir::texel_size_B(m.format)}];
    if (r.data) return r;
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(once_);
    V slot = at(images_, uint64_t(m.binding) * sizeof(ir::ImageRange));
    const auto member = [&](llvm::Type* t, uint64_t offset_B) { return load(t, slot, offset_B, 4); };
    static_assert(sizeof(ImageFormat) == 1);
    V format = b_.CreateZExt(load(b_.getInt8Ty(), slot, offsetof(ir::ImageRange, format), 1), i32_);
    V fits = b_.CreateLShr(b_.getInt32(formats_of_size(ir::texel_size_B(m.format))), format);
    V data = member(ptr_, offsetof(ir::ImageRange, data));
    V bound = b_.CreateAnd(b_.CreateTrunc(fits, b_.getInt1Ty()), b_.CreateIsNotNull(data));
    r.sizes[0] = b_.CreateSelect(bound, member(i32_, offsetof(ir::ImageRange, width)), b_.getInt32(0));
    r.sizes[1] = member(i32_, offsetof(ir::ImageRange, height));
    r.sizes[2] = member(i32_, offsetof(ir::ImageRange, depth));
    r.strides[0] = b_.getInt64(ir::texel_size_B(m.format));
    r.strides[1] = member(b_.getInt64Ty(), offsetof(ir::ImageRange, row_stride_B));
    r.strides[2] = member(b_.getInt64Ty(), offsetof(ir::ImageRange, slice_stride_B));
    r.data = data;
    return r;
}

Codegen::Texels Codegen::texels_of(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    Texels t{image_of(m), o.place_count, {}, nullptr, nullptr};
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (unsigned lane = 0; lane < lanes_; ++lane)
        numbers.push_back(b_.getInt32(lane));
    V elsewhere = nullptr;
    const auto also = [&](V& all, V more, bool both) {
        all = !all ? more : both ? b_.CreateAnd(all, more) : b_.CreateOr(all, more);
    };
    for (int n = 0; n < o.place_count; ++n) {
        const ir::Value* const c = i.operand(unsigned(o.place + n));
        t.at[n] = value(c);
        also(t.inside, b_.CreateICmpULT(t.at[n], splat(t.image.sizes[n])), true);
        if (steps_.step(c) == (n ? 0u : 1u)) continue;
        V wanted = splat(b_.CreateExtractElement(t.at[n], uint64_t(0)));
        if (n == 0) wanted = b_.CreateAdd(wanted, llvm::ConstantVector::get(numbers));
        also(elsewhere, b_.CreateICmpNE(t.at[n], wanted), false);
    }
    also(elsewhere, b_.CreateNot(t.inside), false);
    t.row = b_.CreateNot(any(mask_of(elsewhere)));
    return t;
}

/// The address of the first lane's texel.
Codegen::V Codegen::first_texel(const Texels& t) {
    V offset = nullptr;
    for (int n = 0; n < t.count; ++n) {
        V c = b_.CreateZExt(b_.CreateExtractElement(t.at[n], uint64_t(0)), b_.getInt64Ty());
        c = b_.CreateMul(c, t.image.strides[n]);
        offset = offset ? b_.CreateAdd(offset, c) : c;
    }
    return b_.CreateGEP(b_.getInt8Ty(), t.image.data, offset);
}

/// The addresses of the texels of all lanes that have one (a vector of pointers).
Codegen::V Codegen::each_texel(const Texels& t) {
    V offset = nullptr;
    for (int n = 0; n < t.count; ++n) {
        V c = b_.CreateMul(b_.CreateZExt(t.at[n], i64v_), splat(t.image.strides[n]));
        offset = offset ? b_.CreateAdd(offset, c) : c;
    }
    return b_.CreateGEP(b_.getInt8Ty(), t.image.data, offset);
}

/// Converts the texels' words to the shader's values.
void Codegen::decode_texels(ImageFormat f, const V* words, V out[4]) {
    const bool integer = ir::is_integer(f);
    V one = integer ? splat_i32(1) : as_int(splat_f32(1.0f));
    if (!has_bytes(f)) {
        const unsigned count = ir::texel_size_B(f) / 4;
        for (unsigned c = 0; c < 4; ++c)
            out[c] = c < count ? words[c] : c == 3 ? one : splat_i32(0);
        return;
    }
    for (unsigned c = 0; c < 4; ++c) {
        if (f == ImageFormat::Rgba8i) {
            out[c] = b_.CreateAShr(b_.CreateShl(words[0], 24 - 8 * c), 24);
            continue;
        }
        V byte = b_.CreateLShr(words[0], 8 * c);
        if (c < 3) byte = b_.CreateAnd(byte, 255);
        out[c] = f == ImageFormat::Rgba8ui ? byte : as_int(of_255(b_.CreateSIToFP(byte, f32v_)));
    }
}

/// v / 255, rounded as a division: with 1/255 as a sum of two floats, all 256 results are exact.
Codegen::V Codegen::of_255(V v) {
    if (!features_.fma) return b_.CreateFDiv(v, splat_f32(255.0f));
    constexpr float kHigh = float(1.0 / 255.0), kLow = float(1.0 / 255.0 - double(kHigh));
    V low = b_.CreateFMul(v, splat_f32(kLow));
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {f32v_}, {v, splat_f32(kHigh), low});
}

void Codegen::load_image(const ir::Instr& i) {
    const ImageFormat f = i.u.mem->format;
    const unsigned words = ir::texel_size_B(f) / 4;
    const Texels t = texels_of(i);
    V of_row[4] = {}, of_each[4] = {}, loaded[4] = {};
    llvm::BasicBlock *row = block("row"), *each = block("each"), *after = block("loaded");
    b_.CreateCondBr(t.row, row, each);
    b_.SetInsertPoint(row);
    split_words(
        b_.CreateFreeze(load(llvm::FixedVectorType::get(i32_, lanes_ * words), first_texel(t), 0, 4, false)),
        words, loaded);
    decode_texels(f, loaded, of_row);
    b_.CreateBr(after);
    b_.SetInsertPoint(each);
    V places = each_texel(t);
    for (unsigned n = 0; n < words; ++n)
        loaded[n] = gather(b_.CreateGEP(b_.getInt8Ty(), places, b_.getInt64(n * 4)), t.inside);
    decode_texels(f, loaded, of_each);
    for (V& v : of_each)
        v = b_.CreateSelect(t.inside, v, splat_i32(0));
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    V out[4] = {};
    for (unsigned c = 0; c < 4; ++c) {
        llvm::PHINode* const phi = b_.CreatePHI(i32v_, 2);
        phi->addIncoming(of_row[c], row);
        phi->addIncoming(of_each[c], each);
        out[c] = phi;
    }
    for (unsigned c = 0; c < i.result_count; ++c)
        set(i, from_words(out[c], i.result(c)->type), c);
}

/// Converts one component to its format; NaN becomes 0.
Codegen::V Codegen::encode_byte(ImageFormat f, V word) {
    if (f == ImageFormat::Rgba8ui)
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, word, splat_i32(255));
    if (f == ImageFormat::Rgba8i) {
        V v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, word, splat_i32(uint32_t(-128)));
        return b_.CreateAnd(b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, splat_i32(127)), 255);
    }
    V v = as_float(word);
    v = b_.CreateSelect(b_.CreateFCmpOGT(v, splat_f32(0)), v, splat_f32(0));
    v = b_.CreateSelect(b_.CreateFCmpOLT(v, splat_f32(1)), v, splat_f32(1));
    v = b_.CreateFAdd(b_.CreateFMul(v, splat_f32(255)), splat_f32(0.5f));
    return b_.CreateFPToSI(v, i32v_);
}

void Codegen::store_image(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const unsigned words = ir::texel_size_B(m.format) / 4;
    const Texels t = texels_of(i);
    const int first_value = ir::mem_operands(i.op, m).value;
    V lanes = b_.CreateAnd(test(lanes_of(wanted_lanes())), t.inside), stored[4] = {};
    for (unsigned c = 0; c < 4; ++c) {
        const ir::Value* const v = i.operand(unsigned(first_value) + c);
        V word = as_words(value(v), v->type);
        if (!has_bytes(m.format)) {
            stored[c] = word;
            continue;
        }
        V byte = b_.CreateShl(encode_byte(m.format, word), 8 * c);
        stored[0] = c ? b_.CreateOr(stored[0], byte) : byte;
    }
    llvm::BasicBlock *row = block("row"), *each = block("each"), *after = block("stored");
    b_.CreateCondBr(t.row, row, each);
    b_.SetInsertPoint(row);
    V masks[4] = {lanes, lanes, lanes, lanes};
    b_.CreateMaskedStore(join_words(stored, words), first_texel(t), llvm::Align(4), join_words(masks, words));
    b_.CreateBr(after);
    b_.SetInsertPoint(each);
    V places = each_texel(t);
    for (unsigned n = 0; n < words; ++n)
        b_.CreateMaskedScatter(stored[n], b_.CreateGEP(b_.getInt8Ty(), places, b_.getInt64(n * 4)),
                               llvm::Align(4), lanes);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
}

}  // namespace terrazzo::soft::jit
