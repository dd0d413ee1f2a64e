/// Why a record could not be read; the store adds the model and the id and throws a ``TroveError``.
@usableFromInline enum DecodingFault: Error {
    /// The bytes are not a whole record of their layout.
    case damaged(String)
    /// The record is sound and has flags that this version does not know.
    case newer
    /// The record has encrypted fields, and the store was opened without their keys.
    case sealed
    /// More fields were read than the layout has.
    case overrun
    /// A value does not fit the property.
    case unfit(reason: String)
    /// The record lacks the field, and the property has no default.
    case missing
}
