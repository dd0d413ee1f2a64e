#if !canImport(ObjectiveC)
import ObjectLifetime
#endif

/// A reference that does not keep its object, as the identity map has one to each.
///
/// A `weak` reference gives its object a side table: 48 bytes more, and each retain and release of the object by anybody takes several times as long.
/// Elsewhere than on Apple's platforms, where an object may be one of Objective-C, an unowned reference stands in its place. It keeps the object's memory, not
/// the object; whether this is ending, the runtime tells in the same step in which it retains it.
struct ObjectHandle {
    #if canImport(ObjectiveC)
    private weak var reference: AnyObject?

    init(_ object: AnyObject) { reference = object }

    /// The object, unless it is ending or gone.
    var object: AnyObject? { reference }
    #else
    private unowned let memory: AnyObject

    init(_ object: AnyObject) { memory = object }

    /// The object, unless it is ending or gone.
    var object: AnyObject? {
        // An unowned reference is the address of the memory, which is there as long as the reference.
        let address = withUnsafeBytes(of: self) { $0.load(as: UnsafeMutableRawPointer.self) }
        guard let retained = trove_try_retain(address) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    }
    #endif
}
