/// The values that the objects of a group have in common, and the group's aggregates.
struct GroupedValues {
    let keys: [StoredValue]
    let aggregates: [StoredValue]
}
