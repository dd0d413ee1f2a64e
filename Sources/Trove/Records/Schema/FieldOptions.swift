/// What a save does with a field of an object that is in the store already.
public struct FieldOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The first stored value stays, whatever later saves bring.
    public static let writeOnce = FieldOptions(rawValue: 1)
    /// A later nil leaves the stored value as it is.
    public static let keepIfNil = FieldOptions(rawValue: 2)
}
