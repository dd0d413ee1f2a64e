#if !canImport(ObjectiveC)
import ObjectLifetime
#endif

/// A reference that does not keep its object, as the identity map has one to each.
///
/// A `weak` reference gives its object a side table: 48 bytes more, and each retain and release of the object by anybody takes several times as long.
/// Elsewhere than on Apple's platforms, where an object may be one of Objective-C, an unowned reference stands in its place. It keeps the object's memory, not the
/// object; whether this is ending, the runtime tells in the same step in which it retains it.
struct ObjectHandle {
    #if canImport(ObjectiveC)
    private weak var reference: (any LiveModel)?

    init(_ object: any LiveModel) { reference = object }

    /// The object, which is of this class, unless it is ending or gone.
    func object<Object: LiveModel>(_ type: Object.Type) -> Object? {
        reference.map { unsafeDowncast($0, to: type) }
    }
    #else
    private unowned let memory: AnyObject
    /// Where the memory is, which is there as long as the unowned reference.
    private let address: UnsafeMutableRawPointer

    init(_ object: any LiveModel) {
        memory = object
        address = Unmanaged<AnyObject>.passUnretained(object).toOpaque()
    }

    /// The object, which is of this class, unless it is ending or gone.
    func object<Object: LiveModel>(_ type: Object.Type) -> Object? {
        trove_try_retain(address).map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    }
    #endif

    /// The object, which is of this class, unless it is ending or gone.
    func object(of type: any LiveModel.Type) -> (any LiveModel)? {
        func object<Object: LiveModel>(of type: Object.Type) -> (any LiveModel)? { self.object(type) }
        return object(of: type)
    }
}
