import Foundation

/// A number type that can be summed, with the type of the sum.
///
/// Integers up to 32 bits and `Int64` add up to an `Int`; `UInt`, `UInt64`, `Int128` and `UInt128` to their own type; `Float` and `Double` to a
/// `Double`; `Decimal` to a `Decimal`.
public protocol Summable: Storable {
    /// The type of the sum.
    associatedtype Sum: Storable
}

extension Int: Summable { public typealias Sum = Int }
extension Int8: Summable { public typealias Sum = Int }
extension Int16: Summable { public typealias Sum = Int }
extension Int32: Summable { public typealias Sum = Int }
extension Int64: Summable { public typealias Sum = Int }
extension Int128: Summable { public typealias Sum = Int128 }
extension UInt: Summable { public typealias Sum = UInt }
extension UInt8: Summable { public typealias Sum = Int }
extension UInt16: Summable { public typealias Sum = Int }
extension UInt32: Summable { public typealias Sum = Int }
extension UInt64: Summable { public typealias Sum = UInt64 }
extension UInt128: Summable { public typealias Sum = UInt128 }
extension Float: Summable { public typealias Sum = Double }
extension Double: Summable { public typealias Sum = Double }
extension Decimal: Summable { public typealias Sum = Decimal }
