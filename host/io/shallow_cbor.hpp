/// Checks CBOR of strangers before a recursive parser reads it.
#pragma once

#include <string_view>

namespace nodia {

/// Whether bytes are one CBOR item (RFC 8949) of definite lengths, without tags, nested at most 16
/// deep and not cut: what nodia writes. Needs no stack, whatever the bytes are.
bool is_shallow_cbor(std::string_view bytes);

}  // namespace nodia
